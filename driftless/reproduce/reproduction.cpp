#include "driftless/reproduce/reproduction.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "driftless/base/version.hpp"

namespace driftless {

std::span<const Reproduction> reproductions() {
  static const std::vector<Reproduction> all = {
      {"fig1",
       "synthetic least squares, ten nodes on a ring",
       true,
       {"run.repetitions=10"},
       {"run.repetitions=5"},
       figure1_claims},
      {"fig2a",
       "MNIST, one local step, random and sorted, 5 and 10 nodes",
       true,
       {},
       {"algorithm.local_rate=0.1", "run.rounds=94", "run.repetitions=2"},
       figure2a_claims},
      {"fig2b",
       "MNIST, an epoch a round, sorted, 5 and 10 nodes",
       true,
       {},
       {"algorithm.local_rate=0.005", "run.rounds=4", "run.repetitions=2"},
       figure2b_claims},
      {"fig3",
       "MNIST, large batches against local steps",
       true,
       {},
       {"algorithm.local_rate=0.005", "run.rounds=4", "run.repetitions=2"},
       figure3_claims},
      {"fig4", "the data: a digit, and who has which", false, {}, {}, figure4_claims},
      {"table1",
       "cost at the busiest point, local steps, robustness",
       true,
       {},
       {"run.repetitions=5"},
       table1_claims},
      {"table2",
       "rounds of K-GT against K, n, σ² and p",
       true,
       {},
       {"run.repetitions=3", "tune.repetitions=1"},
       table2_claims},
  };
  return all;
}

std::string claims_text(const Reproduction& of, const std::vector<Claim>& claims) {
  std::string text = fmt::format("{}: {}\n", of.name, of.title);
  for (const Claim& claim : claims) {
    text += fmt::format("  {:<14} {}\n  {:<14} measured {}\n", name_of(claim.verdict),
                        claim.statement, "", claim.measured);
  }
  return text;
}

std::string claims_markdown(const Reproduction& of, const std::vector<Claim>& claims) {
  std::string text = fmt::format("### {}: {}\n\n| claim | measured | verdict |\n|---|---|---|\n",
                                 of.name, of.title);
  for (const Claim& claim : claims) {
    text +=
        fmt::format("| {} | {} | {} |\n", claim.statement, claim.measured, name_of(claim.verdict));
  }
  return text;
}

std::string claims_json(const Reproduction& of, const std::vector<Claim>& claims, bool quick,
                        double seconds) {
  nlohmann::ordered_json all;
  all["name"] = of.name;
  all["title"] = of.title;
  all["quick"] = quick;
  all["seconds"] = seconds;
  all["version"] = version();
  for (const Claim& claim : claims) {
    all["claims"].push_back({{"statement", claim.statement},
                             {"measured", claim.measured},
                             {"verdict", name_of(claim.verdict)}});
  }
  return all.dump(2) + "\n";
}

}  // namespace driftless
