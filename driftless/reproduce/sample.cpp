#include "driftless/reproduce/sample.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <iterator>

#include "driftless/base/function_ref.hpp"

namespace driftless {
namespace {

// For each seed that all samples have, what `combine` makes of their values.
Sample combined(const std::vector<Sample>& samples,
                FunctionRef<double(const std::vector<double>&)> combine) {
  Sample made;
  for (const Sample& each : samples)
    made.sides.insert(made.sides.end(), each.sides.begin(), each.sides.end());
  if (samples.empty()) return made;
  for (const std::int64_t seed : samples.front().seeds) {
    std::vector<double> of_seed;
    for (const Sample& each : samples) {
      const auto found = std::ranges::find(each.seeds, seed);
      if (found == each.seeds.end()) break;
      of_seed.push_back(each.values[static_cast<std::size_t>(found - each.seeds.begin())]);
    }
    if (of_seed.size() < samples.size()) continue;
    made.seeds.push_back(seed);
    made.values.push_back(combine(of_seed));
  }
  return made;
}

}  // namespace

Sample difference(const Sample& a, const Sample& b) {
  return combined({a, b}, [](const std::vector<double>& of) { return of[0] - of[1]; });
}

Sample log_ratio(const Sample& a, const Sample& b) {
  return combined({a, b}, [](const std::vector<double>& of) { return std::log(of[0] / of[1]); });
}

double exponent(const std::vector<double>& x, const std::vector<double>& y) {
  const auto centred_logarithms = [](const std::vector<double>& values) -> Eigen::ArrayXd {
    const auto size = static_cast<Eigen::Index>(values.size());
    const Eigen::ArrayXd logarithms = Eigen::ArrayXd::Map(values.data(), size).log();
    return logarithms - logarithms.mean();
  };
  const Eigen::ArrayXd of_x = centred_logarithms(x);
  return (of_x * centred_logarithms(y)).sum() / of_x.square().sum();
}

Sample exponents(const std::vector<double>& x, const std::vector<Sample>& y) {
  return combined(y, [&](const std::vector<double>& of_seed) { return exponent(x, of_seed); });
}

}  // namespace driftless
