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
