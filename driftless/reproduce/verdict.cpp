#include "driftless/reproduce/verdict.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <iterator>

namespace driftless {
namespace {

std::string expected(double low, double high) {
  if (low == -infinity) return fmt::format("below {:g}", high);
  if (high == infinity) return fmt::format("above {:g}", low);
  return fmt::format("{:g} to {:g}", low, high);
}

// Bounds and estimate are on the scale of the values; `shown` brings them to that of the reader.
Claim judged(std::string statement, const std::vector<double>& values, double low, double high,
             double (*shown)(double)) {
  Claim claim{.statement = std::move(statement), .measured = "no runs"};
  if (values.empty()) return claim;
  const Estimate found = estimate(values);
  claim.verdict = is_within(found, low, high);
  if (!std::isfinite(found.mean)) {
    const auto missing =
        std::ranges::count_if(values, [](double value) { return !std::isfinite(value); });
    claim.measured = fmt::format("no figure in {} of {} runs, which diverged or missed the target",
                                 missing, values.size());
    return claim;
  }
  const double half = found.half_width.value_or(0);
  claim.measured = fmt::format("{:.3g}", shown(found.mean));
  if (found.half_width) {
    claim.measured +=
        fmt::format(" ({:.3g} to {:.3g})", shown(found.mean - half), shown(found.mean + half));
  }
  claim.measured +=
      fmt::format(", expected {}, n = {}", expected(shown(low), shown(high)), found.n);
  return claim;
}

}  // namespace

Verdict is_within(const Estimate& measured, double low, double high) {
  if (!measured.half_width) return Verdict::not_decided;
  const double from = measured.mean - *measured.half_width;
  const double to = measured.mean + *measured.half_width;
  if (to < low || from > high) return Verdict::does_not_hold;
  return from > low && to < high ? Verdict::holds : Verdict::not_decided;
}

Claim ratio_claim(std::string statement, const std::vector<double>& a, const std::vector<double>& b,
                  double low, double high) {
  std::vector<double> logarithms;
  std::ranges::transform(a, b, std::back_inserter(logarithms),
                         [](double x, double y) { return std::log(x / y); });
  return judged(std::move(statement), logarithms, std::log(low), std::log(high),
                [](double logarithm) { return std::exp(logarithm); });
}

Claim difference_claim(std::string statement, const std::vector<double>& a,
                       const std::vector<double>& b, double low, double high) {
  return value_claim(std::move(statement), differences(a, b), low, high);
}

Claim value_claim(std::string statement, const std::vector<double>& values, double low,
                  double high) {
  return judged(std::move(statement), values, low, high, [](double value) { return value; });
}

std::vector<double> differences(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> found;
  std::ranges::transform(a, b, std::back_inserter(found), std::minus<>());
  return found;
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

std::vector<double> exponents(const std::vector<double>& x,
                              const std::vector<std::vector<double>>& y) {
  const std::size_t seeds =
      y.empty() ? 0 : std::ranges::min(y, {}, &std::vector<double>::size).size();
  std::vector<double> found;
  for (std::size_t seed = 0; seed < seeds; ++seed) {
    std::vector<double> of_seed(y.size());
    std::ranges::transform(y, of_seed.begin(), [&](const auto& values) { return values[seed]; });
    found.push_back(exponent(x, of_seed));
  }
  return found;
}

}  // namespace driftless
