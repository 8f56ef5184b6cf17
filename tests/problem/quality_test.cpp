#include "driftless/problem/quality.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "driftless/base/random.hpp"

namespace driftless::testing {
namespace {

// All pairs of a positive and a negative sample, one by one.
double area_by_pairs(const std::vector<double>& scores, const std::vector<bool>& positive) {
  double wins = 0;
  double pairs = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    for (std::size_t j = 0; j < scores.size(); ++j) {
      if (!positive[i] || positive[j]) continue;
      wins += scores[i] > scores[j] ? 1 : scores[i] == scores[j] ? 0.5 : 0;
      ++pairs;
    }
  }
  return wins / pairs;
}

TEST(AreaUnderCurve, IsTheShareOfPairsInOrder) {
  // Of the four pairs, 0.35 against 0.4 is the one out of order.
  const std::vector<double> scores{0.1, 0.4, 0.35, 0.8};
  EXPECT_EQ(area_under_curve(scores, {false, false, true, true}), 0.75);
  EXPECT_EQ(area_under_curve(scores, {true, true, false, false}), 0.25);
  EXPECT_EQ(area_under_curve(scores, {false, false, false, true}), 1);
}

TEST(AreaUnderCurve, CountsEqualScoresHalf) {
  EXPECT_EQ(area_under_curve(std::vector<double>{3, 3, 3}, {true, false, true}), 0.5);
  // The pairs of the positive 2: above 1, equal to 2. Those of the positive 1: equal to 1, below 2.
  EXPECT_EQ(area_under_curve(std::vector<double>{2, 2, 1, 1}, {true, false, true, false}), 0.5);
  EXPECT_EQ(area_under_curve(std::vector<double>{2, 2, 1}, {true, false, false}), 0.75);
}

TEST(AreaUnderCurve, IsThatOfAllPairsOnRandomScoresWithTies) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    std::vector<double> scores;
    std::vector<bool> positive;
    for (std::uint64_t s = 0; s < 150; ++s) {
      const auto u = [&](std::uint64_t k) {
        return uniform(Draw{.seed = seed}, Purpose::problem_data, 2 * s + k);
      };
      positive.push_back(u(0) < 0.3);
      scores.push_back(std::floor(12 * u(1) + (positive.back() ? 2 : 0)) / 7);
    }
    EXPECT_NEAR(area_under_curve(scores, positive), area_by_pairs(scores, positive), 1e-15);
  }
}

TEST(AreaUnderCurve, IsUnknownWithoutBothClassesOrWithAScoreThatIsNoNumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(area_under_curve({}, {})));
  EXPECT_TRUE(std::isnan(area_under_curve(std::vector<double>{1, 2}, {true, true})));
  EXPECT_TRUE(std::isnan(area_under_curve(std::vector<double>{1, 2}, {false, false})));
  EXPECT_TRUE(std::isnan(area_under_curve(std::vector<double>{1, nan}, {true, false})));
}

TEST(ClassTally, CountsSamplesAndRightAnswersByClass) {
  const std::vector<double> probabilities{
      0.5, 0.3, 0.2,  // 0, right
      0.4, 0.4, 0.2,  // the first of equal ones, so 0: right
      0.1, 0.2, 0.7,  // 2, wrong
      0.4, 0.4, 0.2,  // 0, wrong
  };
  const ClassTally tally = tally_of(std::vector<std::int32_t>{0, 0, 0, 1}, 3, probabilities);
  EXPECT_EQ(tally.samples, (std::vector<std::int64_t>{3, 1, 0}));
  EXPECT_EQ(tally.right, (std::vector<std::int64_t>{2, 0, 0}));
  EXPECT_EQ(tally.recall(0), 2.0 / 3);
  EXPECT_EQ(tally.recall(1), 0);
  EXPECT_TRUE(std::isnan(tally.recall(2)));
}

// The targets 1, 2, 3, 6 have the mean 3 and the squared distances 4 + 1 + 0 + 9.
TEST(RSquared, ComparesTheErrorsWithThoseOfTheMean) {
  const std::vector<double> targets{1, 2, 3, 6};
  EXPECT_EQ(r_squared(0, targets), 1);
  EXPECT_EQ(r_squared(3.5, targets), 0.75);
  EXPECT_EQ(r_squared(14, targets), 0);
  EXPECT_EQ(r_squared(28, targets), -1);
}

// Squares of 1e9 have no digit left for the distances.
TEST(RSquared, KeepsItsDigitsFarFromZero) {
  const std::vector<double> targets{1e9 + 1, 1e9 + 2, 1e9 + 3, 1e9 + 6};
  EXPECT_EQ(r_squared(3.5, targets), 0.75);
}

TEST(RSquared, IsUnknownWhereAllTargetsAreEqual) {
  EXPECT_TRUE(std::isnan(r_squared(1, std::vector<double>{0.1, 0.1, 0.1})));
  EXPECT_TRUE(std::isnan(r_squared(0, std::vector<double>{5})));
  EXPECT_TRUE(std::isnan(r_squared(0, {})));
}

}  // namespace
}  // namespace driftless::testing
