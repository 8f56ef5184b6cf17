#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "driftless/base/named.hpp"
#include "driftless/base/statistics.hpp"
#include "driftless/reproduce/sample.hpp"

namespace driftless {

// Of a claim that has one bound.
inline constexpr double infinity = std::numeric_limits<double>::infinity();

enum class Verdict { holds, does_not_hold, not_decided };
template <>
inline constexpr auto values_of<Verdict> =
    std::to_array<Named<Verdict>>({{Verdict::holds, "holds"},
                                   {Verdict::does_not_hold, "does not hold"},
                                   {Verdict::not_decided, "not decided"}});

// Where the true mean lies, as far as the 95 % interval tells. An interval that has a bound inside
// decides nothing, nor does one value alone, nor one that is not a number. A bound may be infinite.
Verdict is_within(const Estimate& measured, double low, double high);

// The verdict that so many values would give, if they had the mean and the spread of these.
Verdict foreseen(const std::vector<double>& values, std::size_t count, double low, double high);

// Bounds and estimates, on the scale that a reader sees.
struct Interval {
  double low = 0;
  double high = 0;
};

// What a paper says, and what came of it here.
struct Claim {
  std::string statement;
  std::string measured;  // "2.3 (2.1 to 2.6), expected 0.5 to 2, n = 10"
  Verdict verdict = Verdict::not_decided;
  std::string measure = {};  // what is meant by accuracy; empty: it is no claim on accuracies

  // Of a claim that is judged by runs; none where they have no figure.
  std::optional<double> mean = {};
  std::optional<Interval> interval = {};  // 95 %
  std::optional<Interval> expected = {};
  Sample sample = {};
  // How many seeds would decide it, of the numbers that were asked for; none: it is decided, or
  // they would not.
  std::optional<std::size_t> seeds_to_decide = {};
};

// The numbers of seeds that are worth trying where fewer do not decide.
inline constexpr std::size_t more_seeds[] = {12, 20};

// The ratios a/b of each seed are compared by their logarithms. A bound may be infinite.
Claim ratio_claim(std::string statement, const Sample& a, const Sample& b, double low, double high);

// The same of a − b.
Claim difference_claim(std::string statement, const Sample& a, const Sample& b, double low,
                       double high);

// The same of values themselves.
Claim value_claim(std::string statement, const Sample& values, double low, double high);

}  // namespace driftless
