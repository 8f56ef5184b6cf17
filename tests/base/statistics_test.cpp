#include "driftless/base/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace driftless {
namespace {

// Printed tables of Student's t.
TEST(TQuantile, IsThatOfTheTables) {
  const std::pair<int, double> two_sided_95[] = {{1, 12.7062},  {2, 4.30265},   {3, 3.18245},
                                                 {4, 2.77645},  {9, 2.26216},   {10, 2.22814},
                                                 {30, 2.04227}, {120, 1.97993}, {1000, 1.96234}};
  for (const auto& [degrees, value] : two_sided_95)
    EXPECT_NEAR(t_quantile(0.975, degrees), value, 6e-5) << degrees << " degrees of freedom";
  EXPECT_NEAR(t_quantile(0.95, 1), 6.31375, 6e-6);
  EXPECT_NEAR(t_quantile(0.95, 5), 2.01505, 6e-6);
  EXPECT_NEAR(t_quantile(0.995, 2), 9.92484, 6e-6);
  EXPECT_NEAR(t_quantile(0.9995, 7), 5.40788, 6e-6);
}

// ν = 1 is Cauchy's distribution, and ν = 2 has a quantile in closed form too.
TEST(TQuantile, IsTheClosedFormOfOneAndTwoDegrees) {
  for (const double q : {0.01, 0.3, 0.6, 0.9, 0.999}) {
    const double cauchy = std::tan(std::numbers::pi * (q - 0.5));
    EXPECT_NEAR(t_quantile(q, 1), cauchy, 1e-9 * std::abs(cauchy)) << q;
    const double two = (2 * q - 1) / std::sqrt(2 * q * (1 - q));
    EXPECT_NEAR(t_quantile(q, 2), two, 1e-9 * std::abs(two)) << q;
  }
}

TEST(TQuantile, IsOddAroundTheMiddle) {
  for (const int degrees : {1, 2, 7, 12}) {
    EXPECT_EQ(t_quantile(0.25, degrees), -t_quantile(0.75, degrees));
    EXPECT_NEAR(t_quantile(0.5, degrees), 0, 1e-12);
  }
}

TEST(TQuantile, BecomesTheNormalOneForManyDegrees) {
  EXPECT_NEAR(t_quantile(0.975, 1'000'000), 1.959964, 5e-6);
}

TEST(Estimate, HasTheIntervalOfStudentsT) {
  const std::vector<double> values{2, 4, 4, 4, 5, 5, 7, 9};  // squares around the mean 5: 32
  const Estimate found = estimate(values);
  EXPECT_DOUBLE_EQ(found.mean, 5);
  EXPECT_EQ(found.n, 8U);
  EXPECT_NEAR(*found.half_width, 2.36462 * std::sqrt(32.0 / 7 / 8), 1e-5);  // t table, ν = 7
}

TEST(Estimate, OfOneValueKnowsNoInterval) {
  const Estimate found = estimate(std::vector<double>{3});
  EXPECT_DOUBLE_EQ(found.mean, 3);
  EXPECT_EQ(found.n, 1U);
  EXPECT_FALSE(found.half_width);
}

TEST(Estimate, OfEqualValuesHasNoWidth) {
  EXPECT_DOUBLE_EQ(*estimate(std::vector<double>{0.5, 0.5, 0.5}).half_width, 0);
}

}  // namespace
}  // namespace driftless
