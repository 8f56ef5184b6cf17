#include "driftless/base/kernels.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/base/kernel_cases.hpp"

namespace driftless {
namespace {

template <class Real>
class Kernel : public ::testing::Test {};
TYPED_TEST_SUITE(Kernel, Reals);

TYPED_TEST(Kernel, DescendGivesTheBitsOfThePlainLoopOnEveryTarget) {
  on_every_target([] {
    const TypeParam rate = static_cast<TypeParam>(0.3);
    for (Index d = 0; d <= longest; ++d) {
      const auto g = awkward<TypeParam>(2, d, 1);
      auto y = awkward<TypeParam>(1, d, 3);
      auto expected = y;
      for (Index j = 0; j < d; ++j) {
        expected[j + 2] = plus(expected[j + 2], -times(rate, g[j + 1]));
      }
      kernel::descend(y.data() + 2, rate, g.data() + 1, d);
      expect_same_bits(y, expected, d);
    }
  });
}

TYPED_TEST(Kernel, CorrectedDescendGivesTheBitsOfThePlainLoopOnEveryTarget) {
  on_every_target([] {
    const TypeParam rate = static_cast<TypeParam>(0.3);
    for (Index d = 0; d <= longest; ++d) {
      const auto g = awkward<TypeParam>(2, d, 1);
      const auto c = awkward<TypeParam>(3, d, 3);
      auto y = awkward<TypeParam>(1, d, 3);
      auto expected = y;
      for (Index j = 0; j < d; ++j) {
        const TypeParam step = times(rate, plus(g[j + 1], c[j + 3]));
        expected[j + 2] = plus(expected[j + 2], -step);
      }
      kernel::descend(y.data() + 2, rate, g.data() + 1, c.data() + 3, d);
      expect_same_bits(y, expected, d);
    }
  });
}

TYPED_TEST(Kernel, ScaleMinusGivesTheBitsOfThePlainLoopOnEveryTarget) {
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

TYPED_TEST(Kernel, QuadraticDescendGivesTheBitsOfThePlainLoopOnEveryTarget) {
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

TYPED_TEST(Kernel, ScaleMinusMayOverwriteItsArguments) {
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

TYPED_TEST(Kernel, CloseRoundGivesTheBitsOfThePlainLoopOnEveryTarget) {
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

TYPED_TEST(Kernel, SumInOrderGivesTheBitsOfThePlainLoopOnEveryTarget) {
  on_every_target([] {
    for (Index d = 0; d <= longest; ++d) {
      const auto row = awkward<TypeParam>(2, d, 1);
      auto sum = awkward<TypeParam>(1, d, 2);
      auto expected = sum;
      for (Index j = 0; j < d; ++j) expected[j + 1] = plus(expected[j + 1], row[j + 1]);
      kernel::sum_in_order(sum.data() + 1, row.data() + 1, d);
      expect_same_bits(sum, expected, d);
    }
  });
}

TYPED_TEST(Kernel, WeightedSumAddsRowsInOrderOnEveryTarget) {
  on_every_target([] {
    for (Index d = 0; d <= longest; ++d) {
      std::vector<std::vector<TypeParam>> data;
      std::vector<const TypeParam*> rows;
      for (std::uint64_t i = 0; i < 9; ++i) data.push_back(awkward<TypeParam>(i, d, 1));
      rows.reserve(data.size());
      for (const auto& row : data) rows.push_back(row.data() + 1);
      const auto weights = awkward<TypeParam>(99, 9);
      for (Index count = 1; count <= 9; ++count) {
        auto out = awkward<TypeParam>(100, d, 2);
        auto expected = out;
        for (Index j = 0; j < d; ++j) {
          TypeParam sum = times(weights[0], rows[0][j]);
          for (Index i = 1; i < count; ++i) sum = plus(sum, times(weights[i], rows[i][j]));
          expected[j + 1] = sum;
        }
        kernel::weighted_sum(out.data() + 1, rows.data(), weights.data(), count, d);
        expect_same_bits(out, expected, d);
      }
    }
  });
}

}  // namespace
}  // namespace driftless
