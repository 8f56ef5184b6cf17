#pragma once

#include <fmt/format.h>

#include <string>

#include "driftless/base/random.hpp"
#include "tests/support/temporary_folder.hpp"

namespace driftless::testing {

// A CSV of patients as one site has them: two features tell the risk but for noise, and sites
// differ in the patients that they see. The first line names the columns.
inline std::string patients(int site, int count, int seed = 1) {
  std::string text = "age,pressure,weight,risk\n";
  for (int s = 0; s < count; ++s) {
    const auto u = [&](std::uint64_t k) {
      return uniform(Draw{.seed = static_cast<std::uint64_t>(seed), .node = site, .round = s},
                     Purpose::problem_data, k);
    };
    const double age = 30 + 10 * site + 30 * u(0);
    const double pressure = 100 + 60 * u(1);
    const bool risk = (age - 60) / 20 + (pressure - 130) / 30 + u(2) - 0.5 > 0;
    // Every site has both classes, however young its patients are.
    const bool told = s == 0 ? true : (s == 1 ? false : risk);
    text += fmt::format("{:.1f},{:.1f},{:.2f},{}\n", age, pressure, 50 + 50 * u(3),
                        told ? "high" : "low");
  }
  return text;
}

// Five sites of different sizes: site-0.csv … site-4.csv, and test-0.csv … for testing each.
inline constexpr int site_sizes[] = {40, 25, 60, 15, 33};
inline void write_sites(const TemporaryFolder& folder, const std::string& in = "") {
  for (int site = 0; site < 5; ++site) {
    folder.write(fmt::format("{}site-{}.csv", in, site), patients(site, site_sizes[site]));
    folder.write(fmt::format("{}test-{}.csv", in, site), patients(site, 20, 2));
  }
}

}  // namespace driftless::testing
