#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "driftless/base/random.hpp"
#include "tests/base/targets.hpp"

// What tests of kernels compare with: plain loops, one rounding at a time.
namespace driftless {

inline constexpr Index longest = 130;

// Numbers of all sizes and signs, so that every rounding shows; `offset` spoils the alignment.
template <class Real>
std::vector<Real> awkward(std::uint64_t seed, Index size, Index offset = 0) {
  std::vector<Real> values(static_cast<std::size_t>(size + offset));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double u = uniform(Draw{.seed = seed}, Purpose::problem_data, i);
    values[i] = static_cast<Real>(std::ldexp(u - 0.5, static_cast<int>(i * 7 % 41) - 20));
  }
  return values;
}

// One operation at a time, through memory: the compiler can neither fuse nor reorder.
template <class Real>
Real times(Real a, Real b) {
  volatile Real result = a * b;
  return result;
}
template <class Real>
Real plus(Real a, Real b) {
  volatile Real result = a + b;
  return result;
}

template <class Real>
void expect_same_bits(const std::vector<Real>& actual, const std::vector<Real>& expected, Index d) {
  ASSERT_EQ(actual.size(), expected.size());
  EXPECT_EQ(std::memcmp(actual.data(), expected.data(), sizeof(Real) * actual.size()), 0)
      << "at length " << d;
}

using Reals = ::testing::Types<float, double>;

}  // namespace driftless
