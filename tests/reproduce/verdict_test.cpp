#include "driftless/reproduce/verdict.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace driftless {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Estimate measured(double mean, double half_width) {
  return {.mean = mean, .half_width = half_width, .n = 3};
}

TEST(Verdict, IsDecidedByTheWholeInterval) {
  EXPECT_EQ(is_within(measured(3, 0.9), 2, infinity), Verdict::holds);
  EXPECT_EQ(is_within(measured(1, 0.9), 2, infinity), Verdict::does_not_hold);
  EXPECT_EQ(is_within(measured(3, 1.1), 2, infinity), Verdict::not_decided);
  EXPECT_EQ(is_within(measured(1, 1.1), 2, infinity), Verdict::not_decided);

  EXPECT_EQ(is_within(measured(1, 0.9), -infinity, 2), Verdict::holds);
  EXPECT_EQ(is_within(measured(3, 0.9), -infinity, 2), Verdict::does_not_hold);
  EXPECT_EQ(is_within(measured(1, 1.1), -infinity, 2), Verdict::not_decided);
}

TEST(Verdict, OfARangeNeedsBothSides) {
  EXPECT_EQ(is_within(measured(0, 0.9), -1, 1), Verdict::holds);
  EXPECT_EQ(is_within(measured(0, 1.1), -1, 1), Verdict::not_decided);
  EXPECT_EQ(is_within(measured(0.5, 0.9), -1, 1), Verdict::not_decided);
  EXPECT_EQ(is_within(measured(3, 0.9), -1, 1), Verdict::does_not_hold);
  EXPECT_EQ(is_within(measured(-3, 0.9), -1, 1), Verdict::does_not_hold);
  EXPECT_EQ(is_within(measured(5, 0.1), 1, infinity), Verdict::holds);
  EXPECT_EQ(is_within(measured(5, 0.1), -infinity, 1), Verdict::does_not_hold);
}

TEST(Verdict, IsNotDecidedByOneValueOrNone) {
  EXPECT_EQ(is_within({.mean = 9, .half_width = {}, .n = 1}, 2, infinity), Verdict::not_decided);
  EXPECT_EQ(is_within(measured(nan, nan), -1, 1), Verdict::not_decided);
  EXPECT_EQ(is_within(measured(5, infinity), 2, infinity), Verdict::not_decided);
}

// Values of the seeds from 1 on.
Sample sample(const std::vector<double>& values) {
  Sample made{.seeds = {}, .values = values, .sides = {}};
  for (std::size_t k = 0; k < values.size(); ++k)
    made.seeds.push_back(static_cast<std::int64_t>(k) + 1);
  return made;
}

TEST(RatioClaim, ComparesSeedBySeed) {
  // Each seed has its own scale, and the ratio 4 in all of them but for a little.
  const Sample b = sample({1, 10, 100});
  const Sample a = sample({4, 40.4, 396});
  EXPECT_EQ(ratio_claim("", a, b, 2, infinity).verdict, Verdict::holds);
  EXPECT_EQ(ratio_claim("", a, b, 0.5, 2).verdict, Verdict::does_not_hold);
  EXPECT_EQ(ratio_claim("", a, b, 4, infinity).verdict, Verdict::not_decided);
  EXPECT_EQ(ratio_claim("", sample({4, 4}), sample({1, 1}), 2, infinity).measured,
            "4 (4 to 4), expected above 2, n = 2");
}

TEST(DifferenceClaim, ComparesSeedBySeed) {
  const Sample b = sample({0.1, 0.5, 0.9});
  const Sample a = sample({0.21, 0.6, 0.99});
  EXPECT_EQ(difference_claim("", a, b, 0, infinity).verdict, Verdict::holds);
  EXPECT_EQ(difference_claim("", b, a, 0, infinity).verdict, Verdict::does_not_hold);
  EXPECT_EQ(difference_claim("", a, b, -0.1, 0.1).verdict, Verdict::not_decided);
  EXPECT_EQ(difference_claim("", sample({3, 3}), sample({1, 1}), -1, 4).measured,
            "2 (2 to 2), expected -1 to 4, n = 2");
}

TEST(Claims, AreNotDecidedWhereARunHasNoFigure) {
  const Claim claim = ratio_claim("", sample({4, nan, 4}), sample({1, 1, 1}), 2, infinity);
  EXPECT_EQ(claim.verdict, Verdict::not_decided);
  EXPECT_EQ(claim.measured, "no figure in 1 of 3 runs, which diverged or missed the target");
  EXPECT_EQ(value_claim("", sample({}), 0, 1).verdict, Verdict::not_decided);
  EXPECT_EQ(value_claim("", sample({0.5}), 0, 1).verdict, Verdict::not_decided) << "a single run";
}

TEST(DifferenceClaim, PairsTheSeedsThatBothHave) {
  Sample a = sample({1, 2, 3, 4});
  Sample b = sample({1, 9, 3});
  b.seeds = {1, 3, 4};
  const Claim claim = difference_claim("", a, b, -infinity, 0);
  EXPECT_EQ(claim.sample.seeds, (std::vector<std::int64_t>{1, 3, 4}));
  EXPECT_EQ(claim.sample.values, (std::vector<double>{0, -6, 1}));
}

// Mean 1, standard deviation 2 of seven values: t_6 = 2.447, t_11 = 2.201 and t_19 = 2.093, so that
// half the interval is 1.850 now, 1.271 with twelve seeds and 0.936 with twenty.
TEST(SeedsToDecide, AreTheFewestThatWouldIfTheSpreadStayed) {
  const double step = 2 * std::sqrt(6.0 / 4);  // ± step twice each, and 0 three times
  const Sample seven = sample({1 + step, 1 + step, 1 - step, 1 - step, 1, 1, 1});
  EXPECT_EQ(value_claim("", seven, -0.3, infinity).seeds_to_decide, 12U);
  EXPECT_EQ(value_claim("", seven, 0, infinity).seeds_to_decide, 20U);
  const Claim never = value_claim("", seven, 0.1, infinity);
  EXPECT_EQ(never.verdict, Verdict::not_decided);
  EXPECT_EQ(never.seeds_to_decide, std::nullopt);
  const Claim decided = value_claim("", seven, -0.9, infinity);
  EXPECT_EQ(decided.verdict, Verdict::holds);
  EXPECT_EQ(decided.seeds_to_decide, std::nullopt);
  EXPECT_NEAR(decided.interval->high - decided.interval->low, 2 * 1.850, 2e-3);
}

TEST(Exponent, IsThatOfAPower) {
  const std::vector<double> x{1, 2, 4, 16};
  std::vector<double> y = x;
  for (double& each : y) each = 7 * std::pow(each, -1.5);
  EXPECT_NEAR(exponent(x, y), -1.5, 1e-12);
  // By hand: log₂ x = 0, 1, 2 and log₂ y = 0, 0, 3: slope 3/2.
  EXPECT_NEAR(exponent({1, 2, 4}, {1, 1, 8}), 1.5, 1e-12);
}

}  // namespace
}  // namespace driftless
