#include "driftless/reproduce/verdict.hpp"

#include <fmt/format.h>

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

Verdict is_above(const Estimate& measured, double bound) {
  if (!measured.half_width) return Verdict::not_decided;
  if (measured.mean - *measured.half_width > bound) return Verdict::holds;
  if (measured.mean + *measured.half_width < bound) return Verdict::does_not_hold;
  return Verdict::not_decided;
}

Verdict is_below(const Estimate& measured, double bound) {
  return is_above({.mean = -measured.mean, .half_width = measured.half_width, .n = measured.n},
                  -bound);
}

Verdict is_within(const Estimate& measured, double low, double high) {
  return all_of({is_above(measured, low), is_below(measured, high)});
}

Verdict all_of(const std::vector<Verdict>& verdicts) {
  const auto has = [&](Verdict verdict) { return std::ranges::count(verdicts, verdict) > 0; };
  if (has(Verdict::does_not_hold)) return Verdict::does_not_hold;
  return has(Verdict::not_decided) || verdicts.empty() ? Verdict::not_decided : Verdict::holds;
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
  const auto count = static_cast<double>(x.size());
  double mean_x = 0;
  double mean_y = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    mean_x += std::log(x[k]) / count;
    mean_y += std::log(y[k]) / count;
  }
  double xy = 0;
  double xx = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    xy += (std::log(x[k]) - mean_x) * (std::log(y[k]) - mean_y);
    xx += (std::log(x[k]) - mean_x) * (std::log(x[k]) - mean_x);
  }
  return xy / xx;
}

std::vector<double> exponents(const std::vector<double>& x,
                              const std::vector<std::vector<double>>& y) {
  const std::size_t seeds =
      y.empty() ? 0 : std::ranges::min(y, {}, &std::vector<double>::size).size();
  std::vector<double> found;
  for (std::size_t seed = 0; seed < seeds; ++seed) {
    std::vector<double> of_seed;
    for (const auto& values : y) of_seed.push_back(values[seed]);
    found.push_back(exponent(x, of_seed));
  }
  return found;
}

}  // namespace driftless
