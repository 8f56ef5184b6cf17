#include "driftless/algorithm/close_round.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/base/kernel_cases.hpp"

namespace driftless {
namespace {

template <class Real>
class CloseRound : public ::testing::Test {};
TYPED_TEST_SUITE(CloseRound, Reals);

TYPED_TEST(CloseRound, GivesTheBitsOfThePlainLoopOnEveryTarget) {
  on_every_target([] {
    const TypeParam per_step = static_cast<TypeParam>(0.7);
    const TypeParam rate = static_cast<TypeParam>(0.3);
    for (Index d = 0; d <= longest; ++d) {
      const auto y = awkward<TypeParam>(2, d, 1);
      auto x = awkward<TypeParam>(1, d, 3);
      auto c = awkward<TypeParam>(3, d, 1);
      auto z = awkward<TypeParam>(4, d, 2);
      auto x_expected = x;
      auto c_expected = c;
      auto z_expected = z;
      for (Index j = 0; j < d; ++j) {
        const TypeParam taken = times(per_step, plus(x[j + 2], -y[j + 1]));
        z_expected[j + 1] = taken;
        c_expected[j + 1] = plus(c[j + 1], -taken);
        x_expected[j + 2] = plus(x[j + 2], -times(rate, taken));
      }
      kernel::close_round(x.data() + 2, y.data() + 1, c.data() + 1, z.data() + 1, per_step, rate,
                          d);
      expect_same_bits(x, x_expected, d);
      expect_same_bits(c, c_expected, d);
      expect_same_bits(z, z_expected, d);
    }
  });
}

}  // namespace
}  // namespace driftless
