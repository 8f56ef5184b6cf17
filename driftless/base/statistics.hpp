#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace driftless {

// The mean of a few independent values, and how far the true mean may lie from it.
struct Estimate {
  double mean = 0;
  // Half the 95 % interval of Student's t; unknown when there is only one value.
  std::optional<double> half_width;
  double least = 0;
  double greatest = 0;
  std::size_t n = 0;

  bool operator==(const Estimate&) const = default;
};

// With fewer repetitions, the runs themselves tell more than an interval of Student's t, which is
// then far wider than they are.
inline constexpr std::size_t fewest_for_an_interval = 5;

// Of at least one value, all finite.
Estimate estimate(std::span<const double> values);

// The q with P(T <= q) = probability, for Student's t with so many degrees of freedom, at least 1.
double t_quantile(double probability, int degrees);

}  // namespace driftless
