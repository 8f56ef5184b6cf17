#pragma once

#include <limits>
#include <string>
#include <vector>

#include "driftless/base/named.hpp"
#include "driftless/base/statistics.hpp"

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

// What a paper says, and what came of it here.
struct Claim {
  std::string statement;
  std::string measured;
  Verdict verdict = Verdict::not_decided;
};

// `a` and `b` have a value for each seed; the ratios a/b are compared by their logarithms.
// "a/b = 2.3 (2.1 to 2.6), expected 0.5 to 2, n = 10". A bound may be infinite.
Claim ratio_claim(std::string statement, const std::vector<double>& a, const std::vector<double>& b,
                  double low, double high);

// The same of a − b.
Claim difference_claim(std::string statement, const std::vector<double>& a,
                       const std::vector<double>& b, double low, double high);

// The same of values themselves.
Claim value_claim(std::string statement, const std::vector<double>& values, double low,
                  double high);

// a − b of each seed, as far as both have one.
std::vector<double> differences(const std::vector<double>& a, const std::vector<double>& b);

// The slope of log y over log x by least squares: y ~ x^slope.
double exponent(const std::vector<double>& x, const std::vector<double>& y);

// The same for each seed, where `y` has for each x a list of values by seed; none where one has
// none.
std::vector<double> exponents(const std::vector<double>& x,
                              const std::vector<std::vector<double>>& y);

}  // namespace driftless
