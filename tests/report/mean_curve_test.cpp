#include "driftless/report/mean_curve.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "tests/support/recorded_runs.hpp"

namespace driftless::testing {
namespace {

using Numbers = std::vector<double>;

RecordedRun run_with(const Numbers& rounds, const Numbers& losses) {
  return recorded_run({{"algorithm.kind", "k-gt"}}, {{"round", rounds}, {"loss", losses}});
}

constexpr std::size_t round_column = 0;
constexpr std::size_t loss_column = 6;

TEST(MeanCurve, IsTheMeanWithItsInterval) {
  const std::array runs{run_with({0, 5}, {7, 1}), run_with({0, 5}, {7, 2}),
                        run_with({0, 5}, {7, 3})};
  const std::array pointers{&runs[0], &runs[1], &runs[2]};
  const MeanCurve curve = mean_curve(pointers);
  EXPECT_EQ(curve.mean[round_column], (Numbers{0, 5}));
  EXPECT_EQ(curve.mean[loss_column], (Numbers{7, 2}));
  EXPECT_EQ(curve.half_width[loss_column][0], 0);
  // 4.3026… is the 0.975 quantile of Student's t with two degrees of freedom; the deviation is 1.
  EXPECT_NEAR(curve.half_width[loss_column][1], 4.302652729911275 / std::sqrt(3.0), 1e-9);
}

TEST(MeanCurve, TellsTheLeastAndTheGreatest) {
  const std::array runs{run_with({0, 5}, {7, 2}), run_with({0, 5}, {4, 3}),
                        run_with({0, 5}, {5, NAN})};
  const std::array pointers{&runs[0], &runs[1], &runs[2]};
  const MeanCurve curve = mean_curve(pointers);
  EXPECT_EQ(curve.least[loss_column][0], 4);
  EXPECT_EQ(curve.greatest[loss_column][0], 7);
  EXPECT_TRUE(std::isnan(curve.least[loss_column][1]));
  EXPECT_TRUE(std::isnan(curve.greatest[loss_column][1]));
}

TEST(MeanCurve, EndsWhereTheFirstRepetitionEnds) {
  const std::array runs{run_with({0, 1, 2, 3}, {8, 4, NAN, 1}), run_with({0, 1, 2}, {6, 2, 2})};
  const std::array pointers{&runs[0], &runs[1]};
  const MeanCurve curve = mean_curve(pointers);
  ASSERT_EQ(curve.rows(), 3U);
  EXPECT_EQ(curve.mean[loss_column][0], 7);
  EXPECT_EQ(curve.mean[loss_column][1], 3);
  EXPECT_TRUE(std::isnan(curve.mean[loss_column][2]));
}

TEST(MeanCurve, MatchesRowsByTheirRound) {
  const std::array runs{run_with({0, 2, 4}, {1, 2, 3}), run_with({0, 1, 4}, {1, 5, 5})};
  const std::array pointers{&runs[0], &runs[1]};
  const MeanCurve curve = mean_curve(pointers);
  EXPECT_EQ(curve.mean[round_column], (Numbers{0, 4}));
  EXPECT_EQ(curve.mean[loss_column], (Numbers{1, 4}));
}

MeanCurve curve_of(const Numbers& losses) {
  Numbers rounds(losses.size());
  for (std::size_t row = 0; row < rounds.size(); ++row) rounds[row] = static_cast<double>(row);
  const RecordedRun run = run_with(rounds, losses);
  const std::array pointers{&run};
  return mean_curve(pointers);
}

TEST(Thin, KeepsTheEndsOfAStraightLineAlone) {
  Numbers losses(500);
  for (std::size_t row = 0; row < losses.size(); ++row)
    losses[row] = 3 - 0.001 * static_cast<double>(row);
  EXPECT_EQ(thin(curve_of(losses), 100).rows, (std::vector<std::size_t>{0, 499}));
}

TEST(Thin, KeepsTheEndsOfALineThatIsStraightOnALogarithmicScale) {
  Numbers losses(500);
  for (std::size_t row = 0; row < losses.size(); ++row)
    losses[row] = std::pow(0.95, static_cast<double>(row));
  EXPECT_EQ(thin(curve_of(losses), 100).rows, (std::vector<std::size_t>{0, 499}));
}

TEST(Thin, KeepsASpike) {
  Numbers losses(1000, 1.0);
  losses[613] = 5;
  const std::vector<std::size_t> rows = thin(curve_of(losses), 100).rows;
  for (const std::size_t row : {612U, 613U, 614U})
    EXPECT_TRUE(std::ranges::count(rows, row)) << row;
  EXPECT_LE(rows.size(), 6U);
}

// With few runs each is drawn as it is: what one of them does must be seen though the mean hides
// it.
TEST(Thin, KeepsWhereFewRunsPart) {
  Numbers rounds(101);
  std::iota(rounds.begin(), rounds.end(), 0.0);
  Numbers up(101, 2.0);
  Numbers down(101, 2.0);
  up[50] = 3;
  down[50] = 1;
  const std::array runs{run_with(rounds, up), run_with(rounds, down)};
  const std::array pointers{&runs[0], &runs[1]};
  EXPECT_TRUE(std::ranges::count(thin(mean_curve(pointers), 50).rows, 50U));
}

TEST(Thin, KeepsWhereALineEnds) {
  Numbers losses(100, 1.0);
  for (std::size_t row = 40; row < 100; ++row) losses[row] = NAN;
  const std::vector<std::size_t> rows = thin(curve_of(losses), 50).rows;
  EXPECT_TRUE(std::ranges::count(rows, 39U));
}

TEST(Thin, RanksRowsByHowMuchTheyAreNeeded) {
  Numbers losses(1000, 1.0);
  losses[300] = 2;
  losses[600] = 5;
  const Thinned all = thin(curve_of(losses), 100);
  const Thinned few = thin(curve_of(losses), 4);
  std::vector<std::size_t> first_four;
  for (std::size_t k = 0; k < all.rows.size(); ++k) {
    if (all.ranks[k] < 4) first_four.push_back(all.rows[k]);
  }
  EXPECT_EQ(first_four, few.rows);
  EXPECT_TRUE(std::ranges::count(few.rows, 600U));
}

// Teeth at the beginning of a long line: each that is kept cuts one row off the gap.
TEST(Thin, LooksAtEachRowAHundredTimesAtMost) {
  Numbers losses(400'000, 1.0);
  for (std::size_t row = 1; row < 2'000; row += 2) losses[row] = 2;
  const Thinned kept = thin(curve_of(losses), 2'000);
  EXPECT_GE(kept.rows.size(), 100U);
  EXPECT_LE(kept.rows.size(), 105U);
  EXPECT_GT(kept.departure, 0.9);
}

// Every row that was dropped, against the line through its neighbours that were kept.
TEST(Thin, LeavesNothingFurtherAwayThanItTells) {
  Numbers losses(700);
  for (std::size_t row = 0; row < losses.size(); ++row) {
    const double wave = std::sin(0.07 * static_cast<double>(row)) +
                        std::cos(0.011 * static_cast<double>(row * row));
    losses[row] = 3 + wave;
  }
  const auto [low, high] = std::ranges::minmax(losses);
  for (const std::size_t most : {20U, 100U, 400U}) {
    const Thinned kept = thin(curve_of(losses), most);
    EXPECT_EQ(kept.rows.size(), most);
    double furthest = 0;
    for (std::size_t k = 0; k + 1 < kept.rows.size(); ++k) {
      const std::size_t a = kept.rows[k];
      const std::size_t b = kept.rows[k + 1];
      for (std::size_t row = a; row <= b; ++row) {
        const double part = static_cast<double>(row - a) / static_cast<double>(b - a);
        const double drawn = (1 - part) * losses[a] + part * losses[b];
        furthest = std::max(furthest, std::abs(drawn - losses[row]) / (high - low));
      }
    }
    EXPECT_NEAR(furthest, kept.departure, 1e-12);
  }
}

}  // namespace
}  // namespace driftless::testing
