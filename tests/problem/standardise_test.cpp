#include "driftless/problem/standardise.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "driftless/base/error.hpp"

namespace driftless::testing {
namespace {

// Four samples of three features; the last is always 7.
Dataset table() {
  Dataset data{.features = 3, .targets = {0, 0, 0, 0}};
  data.inputs = DenseRows{.values = {1, 10, 7, 2, 20, 7, 3, 30, 7, 6, 20, 7}};
  return data;
}

TEST(Standardise, GivesMeanZeroAndDeviationOneOverAllNodes) {
  Dataset data = table();
  const Standardisation by = standardisation_of(data, {{0}, {1, 2, 3}}, Processes());
  EXPECT_EQ(by.mean, (std::vector<double>{3, 20, 7}));
  EXPECT_DOUBLE_EQ(by.deviation[0], std::sqrt((4 + 1 + 0 + 9) / 4.0));
  EXPECT_DOUBLE_EQ(by.deviation[1], std::sqrt(200 / 4.0));
  EXPECT_EQ(by.deviation[2], 1) << "a feature that is always the same is only shifted";
  standardise(data, by);
  const auto& values = std::get<DenseRows>(data.inputs).values;
  EXPECT_DOUBLE_EQ(values[0], -2 / std::sqrt(3.5));
  EXPECT_EQ(values[2], 0);
}

TEST(Standardise, KeepsItsDigitsFarFromZero) {
  Dataset data{.features = 1, .targets = {0, 0}};
  data.inputs = DenseRows{.values = {1e9 + 1, 1e9 - 1}};
  EXPECT_DOUBLE_EQ(standardisation_of(data, {{0, 1}}, Processes()).deviation[0], 1);
}

TEST(Standardise, IsForTables) {
  Dataset data{.features = 1};
  data.inputs = SparseRows{};
  EXPECT_THROW(check_standardisable(data), ConfigError);
  data.inputs = Images{};
  EXPECT_THROW(check_standardisable(data), ConfigError);
  EXPECT_NO_THROW(check_standardisable(table()));
}

}  // namespace
}  // namespace driftless::testing
