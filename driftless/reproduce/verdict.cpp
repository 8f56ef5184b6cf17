#include "driftless/reproduce/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace driftless {

namespace {

// Of each seed, as far as both have one.
template <class Operation>
std::vector<double> by_seed(const std::vector<double>& a, const std::vector<double>& b,
                            const Operation& operation) {
  std::vector<double> values;
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k)
    values.push_back(operation(a[k], b[k]));
  return values;
}

std::string expected(double low, double high) {
  if (low == -infinity) return fmt::format("below {:g}", high);
  if (high == infinity) return fmt::format("above {:g}", low);
  return fmt::format("{:g} to {:g}", low, high);
}

// Bounds and estimate are on the scale of the values; `shown` brings them to that of the reader.
Claim judged(std::string statement, const std::vector<double>& values, double low, double high,
             double (*shown)(double)) {
  Claim claim{.statement = std::move(statement), .measured = "no runs", .verdict = {}};
  claim.verdict = Verdict::not_decided;
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

double as_is(double value) { return value; }
double from_logarithm(double value) { return std::exp(value); }

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
  const auto logarithms = by_seed(a, b, [](double x, double y) { return std::log(x / y); });
  return judged(std::move(statement), logarithms, std::log(low), std::log(high), from_logarithm);
}

Claim difference_claim(std::string statement, const std::vector<double>& a,
                       const std::vector<double>& b, double low, double high) {
  const auto differences = by_seed(a, b, [](double x, double y) { return x - y; });
  return judged(std::move(statement), differences, low, high, as_is);
}

Claim value_claim(std::string statement, const std::vector<double>& values, double low,
                  double high) {
  return judged(std::move(statement), values, low, high, as_is);
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

}  // namespace driftless
