#include "driftless/problem/quadratic_kernels.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/base/kernel_cases.hpp"

namespace driftless {
namespace {

template <class Real>
class QuadraticKernel : public ::testing::Test {};
TYPED_TEST_SUITE(QuadraticKernel, Reals);

TYPED_TEST(QuadraticKernel, ScaleMinusGivesTheBitsOfThePlainLoopOnEveryTarget) {
  on_every_target([] {
    const TypeParam h = static_cast<TypeParam>(1.7);
    for (Index d = 0; d <= longest; ++d) {
      const auto x = awkward<TypeParam>(1, d, 1);
      const auto q = awkward<TypeParam>(2, d);
      auto out = awkward<TypeParam>(3, d, 2);
      auto expected = out;
      for (Index j = 0; j < d; ++j) expected[j + 1] = plus(times(h, x[j + 1]), -q[j]);
      kernel::scale_minus(out.data() + 1, h, x.data() + 1, q.data(), d);
      expect_same_bits(out, expected, d);
    }
  });
}

TYPED_TEST(QuadraticKernel, QuadraticDescendGivesTheBitsOfThePlainLoopOnEveryTarget) {
  on_every_target([] {
    const TypeParam rate = static_cast<TypeParam>(0.3);
    const TypeParam h = static_cast<TypeParam>(1.7);
    for (Index d = 0; d <= longest; ++d) {
      const auto q = awkward<TypeParam>(2, d, 1);
      const auto c = awkward<TypeParam>(3, d, 3);
      const auto noise = awkward<TypeParam>(4, d, 2);
      for (const bool noisy : {false, true}) {
        auto y = awkward<TypeParam>(1, d, 3);
        auto expected = y;
        for (Index j = 0; j < d; ++j) {
          TypeParam g = plus(times(h, y[j + 2]), -q[j + 1]);
          if (noisy) g = plus(g, noise[j + 2]);
          expected[j + 2] = plus(y[j + 2], -times(rate, plus(g, c[j + 3])));
        }
        kernel::descend_quadratic(y.data() + 2, rate, h, q.data() + 1,
                                  noisy ? noise.data() + 2 : nullptr, c.data() + 3, d);
        expect_same_bits(y, expected, d);
      }
    }
  });
}

TYPED_TEST(QuadraticKernel, ScaleMinusMayOverwriteItsArguments) {
  const auto x = awkward<TypeParam>(1, longest);
  const auto q = awkward<TypeParam>(2, longest);
  std::vector<TypeParam> expected(longest);
  kernel::scale_minus(expected.data(), 2, x.data(), q.data(), longest);
  auto in_place_x = x;
  kernel::scale_minus(in_place_x.data(), 2, in_place_x.data(), q.data(), longest);
  expect_same_bits(in_place_x, expected, longest);
  auto in_place_q = q;
  kernel::scale_minus(in_place_q.data(), 2, x.data(), in_place_q.data(), longest);
  expect_same_bits(in_place_q, expected, longest);
}

}  // namespace
}  // namespace driftless
