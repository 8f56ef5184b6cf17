#include "driftless/reproduce/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {

std::string expected(double low, double high) {
  if (low == -infinity) return fmt::format("below {:g}", high);
  if (high == infinity) return fmt::format("above {:g}", low);
  return fmt::format("{:g} to {:g}", low, high);
}

// Bounds and sample are on the scale of the values; `shown` brings them to that of the reader.
Claim judged(std::string statement, Sample sample, double low, double high,
             double (*shown)(double)) {
  Claim claim{.statement = std::move(statement), .measured = "no runs"};
  claim.expected = {.low = shown(low), .high = shown(high)};
  claim.sample = std::move(sample);
  const std::vector<double>& values = claim.sample.values;
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
  claim.mean = shown(found.mean);
  claim.measured = fmt::format("{:.3g}", *claim.mean);
  if (found.half_width) {
    claim.interval = {.low = shown(found.mean - *found.half_width),
                      .high = shown(found.mean + *found.half_width)};
    claim.measured += fmt::format(" ({:.3g} to {:.3g})", claim.interval->low, claim.interval->high);
  }
  claim.measured +=
      fmt::format(", expected {}, n = {}", expected(shown(low), shown(high)), found.n);
  if (claim.verdict != Verdict::not_decided) return claim;
  for (const std::size_t count : more_seeds) {
    if (count <= values.size() || claim.seeds_to_decide) continue;
    if (foreseen(values, count, low, high) != Verdict::not_decided) claim.seeds_to_decide = count;
  }
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

Verdict foreseen(const std::vector<double>& values, std::size_t count, double low, double high) {
  Estimate found = estimate(values);
  if (!found.half_width) return Verdict::not_decided;
  // Half the interval is t s/√n, where s, the spread of the values, stays.
  const auto width_of = [](std::size_t n) {
    return t_quantile(0.975, static_cast<int>(n) - 1) / std::sqrt(static_cast<double>(n));
  };
  found.half_width = *found.half_width * width_of(count) / width_of(found.n);
  return is_within(found, low, high);
}

Claim ratio_claim(std::string statement, const Sample& a, const Sample& b, double low,
                  double high) {
  return judged(std::move(statement), log_ratio(a, b), std::log(low), std::log(high),
                [](double logarithm) { return std::exp(logarithm); });
}

Claim difference_claim(std::string statement, const Sample& a, const Sample& b, double low,
                       double high) {
  return value_claim(std::move(statement), difference(a, b), low, high);
}

Claim value_claim(std::string statement, const Sample& values, double low, double high) {
  return judged(std::move(statement), values, low, high, [](double value) { return value; });
}

}  // namespace driftless
