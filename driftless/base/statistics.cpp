#include "driftless/base/statistics.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace driftless {
namespace {

// P(|T| <= t) for t = √ν tan θ: for an integer ν a finite sum (Abramowitz and Stegun, 26.7.3 and
// 26.7.4). Its terms are c_j cos^j θ with j = ν − 2, ν − 4, …, down to 0 or 1, where c_0 = c_1 = 1
// and c_j = c_{j−2} (j − 1)/j.
double within(double theta, int degrees) {
  const double cosine = std::cos(theta);
  const bool odd = degrees % 2 == 1;
  double sum = 0;
  double term = odd ? cosine : 1;
  for (int j = odd ? 1 : 0; j <= degrees - 2; j += 2) {
    sum += term;
    term *= cosine * cosine * (j + 1) / (j + 2);
  }
  sum *= std::sin(theta);
  return odd ? 2 / std::numbers::pi * (theta + sum) : sum;
}

}  // namespace

double t_quantile(double probability, int degrees) {
  assert(0 < probability && probability < 1 && degrees >= 1);
  const double inside = std::abs(2 * probability - 1);
  double low = 0;
  double high = std::numbers::pi / 2;
  for (double middle = (low + high) / 2; low < middle && middle < high; middle = (low + high) / 2)
    (within(middle, degrees) < inside ? low : high) = middle;
  const double quantile = std::sqrt(static_cast<double>(degrees)) * std::tan(low);
  return probability < 0.5 ? -quantile : quantile;
}

Estimate estimate(std::span<const double> values) {
  assert(!values.empty());
  Estimate result{.mean = 0,
                  .half_width = std::nullopt,
                  .least = std::ranges::min(values),
                  .greatest = std::ranges::max(values),
                  .n = values.size()};
  const auto count = static_cast<double>(values.size());
  for (const double value : values) result.mean += value / count;
  if (values.size() < 2) return result;
  double squares = 0;
  for (const double value : values) squares += (value - result.mean) * (value - result.mean);
  const double deviation_of_mean = std::sqrt(squares / (count - 1) / count);
  result.half_width = t_quantile(0.975, static_cast<int>(values.size()) - 1) * deviation_of_mean;
  return result;
}

}  // namespace driftless
