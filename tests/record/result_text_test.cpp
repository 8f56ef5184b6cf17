#include "driftless/record/result_text.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

// A run that was looked at in these rounds, a thousand bytes each, and had these losses there.
RunDigest looked_at(const std::vector<std::pair<Round, double>>& rows, double target = 1) {
  RunDigest digest(rows.back().first, target);
  for (const auto& [round, loss] : rows) {
    Metrics row;
    row.round = round;
    row.bytes_total = static_cast<Bytes>(1000 * round);
    row.loss = loss;
    digest.add(row);
  }
  digest.end({.outcome = Outcome::finished, .last = {}});
  return digest;
}

// Reaches its target in this round, and was looked at in the round before.
RunDigest reaching(Round round) { return looked_at({{round - 1, 9}, {round, 0.5}}); }
RunDigest missing() { return looked_at({{0, 9}, {10, 9}}); }

// Ends with this loss.
RunDigest ending(double loss) { return looked_at({{10, loss}}, 1e-9); }

using Runs = std::vector<RunDigest>;

TEST(RoundsText, OfOneRunIsItsRound) {
  EXPECT_EQ(rounds_text(Runs{reaching(51)}), "51");
  EXPECT_EQ(rounds_text(Runs{reaching(12'345)}), "12,345");
  EXPECT_EQ(rounds_text(Runs{missing()}), "not reached");
}

TEST(RoundsText, IsASpanWhereTheRowsLeaveItOpen) {
  const RunDigest sparse = looked_at({{0, 9}, {50, 2}, {100, 0.5}, {150, 0.5}});
  EXPECT_EQ(rounds_text(Runs{sparse}), "51–100");
  EXPECT_EQ(bytes_text(Runs{sparse}), "50 kB–100 kB");
  const RunDigest later = looked_at({{0, 9}, {100, 2}, {150, 0.5}});
  EXPECT_EQ(rounds_text(Runs{sparse, later}), "51–150") << "what both leave open";
  EXPECT_EQ(rounds_text(Runs{reaching(20), later}), "20–150");
}

TEST(RoundsText, CountsFromTheRowBeforeTheLastReturn) {
  EXPECT_EQ(rounds_text(Runs{looked_at({{0, 9}, {10, 0.5}, {20, 3}, {30, 0.5}})}), "21–30");
  EXPECT_EQ(rounds_text(Runs{looked_at({{0, 0.5}, {10, 0.5}})}), "0") << "there at the start";
}

TEST(RoundsText, NamesTheRunsThatReachedItWhereSomeDidNot) {
  EXPECT_EQ(rounds_text(Runs{reaching(3900), missing(), reaching(4140)}),
            "reached by 2 of 3: 3,900, 4,140");
  EXPECT_EQ(bytes_text(Runs{reaching(3900), missing(), reaching(4140)}), "3.9 MB, 4.14 MB");
  Runs many{missing()};
  for (const Round round : {7, 5, 9, 6, 8}) many.push_back(reaching(round));
  EXPECT_EQ(rounds_text(many), "reached by 5 of 6: 5–9") << "a list would be long";
}

TEST(RoundsText, OfFewRunsIsTheMeanAndTheRange) {
  EXPECT_EQ(rounds_text(Runs{reaching(49), reaching(52), reaching(55)}), "52 (49–55)");
  EXPECT_EQ(rounds_text(Runs{reaching(20), reaching(20)}), "20 (all 2)");
}

// The values 1 … 5 have the mean 3 and the standard deviation √2.5; t_0.975 of 4 degrees is 2.776.
TEST(RoundsText, OfFiveRunsIsTheMeanAndItsInterval) {
  Runs runs;
  for (const Round round : {1, 2, 3, 4, 5}) runs.push_back(reaching(round));
  EXPECT_EQ(rounds_text(runs), "3 ± 2.0");
}

TEST(LevelText, ShowsADifferenceHoweverSmall) {
  EXPECT_EQ(level_text(Runs{ending(0.39), ending(0.39)}), "0.390 (all 2)");
  EXPECT_EQ(level_text(Runs{ending(0.39), ending(0.41)}), "0.400 (0.390–0.410)");
  EXPECT_EQ(level_text(Runs{ending(0.39), ending(0.39002)}), "0.39001 (0.39000–0.39002)");
  Runs five;
  for (const double loss : {0.1, 0.2, 0.3, 0.4, 0.5}) five.push_back(ending(1e-4 * loss));
  // Of 1e-5 … 5e-5: 3e-5 ± 1.963e-5.
  EXPECT_EQ(level_text(five), "0.000030 ± 0.000020");
}

TEST(LevelText, OfALossBeyondAllMeasureIsShort) {
  EXPECT_EQ(level_text(Runs{ending(1.25e9)}), "1.250e+09");
}

TEST(LevelText, TellsARunThatGoesOn) {
  RunDigest going_on(10, std::nullopt);
  going_on.add({});
  EXPECT_EQ(level_text(Runs{going_on}), "unfinished");
  EXPECT_EQ(level_text(Runs{RunDigest()}), "not run");
}

TEST(ScoreText, IsASpanWhereTheRowsLeaveItOpen) {
  const TuneConfig tune{.metric = "loss", .read = "rounds_to_target"};
  const std::vector<double> rounds{100, 150};
  CandidateScore score{.standing = Standing::scored, .score = estimate(rounds), .earliest = 51};
  EXPECT_EQ(score_text(score, tune), "51–150");
  score.earliest.reset();
  EXPECT_EQ(score_text(score, tune), "125 (100–150)");
  EXPECT_EQ(score_text({.standing = Standing::diverged, .score = {}}, tune), "diverged");
}

TEST(ReadableBytes, HaveThreeDigitsAndAUnit) {
  EXPECT_EQ(readable_bytes(0), "0 B");
  EXPECT_EQ(readable_bytes(999), "999 B");
  EXPECT_EQ(readable_bytes(1000), "1 kB");
  EXPECT_EQ(readable_bytes(1536), "1.54 kB");
  EXPECT_EQ(readable_bytes(999'499), "999 kB");
  EXPECT_EQ(readable_bytes(999'600), "1 MB") << "not 1e+03 kB";
  EXPECT_EQ(readable_bytes(2.5e9), "2.5 GB");
  EXPECT_EQ(readable_bytes(1e18), "1e+03 PB");
}

TEST(ReadableCount, GroupsThousands) {
  EXPECT_EQ(readable_count(0), "0");
  EXPECT_EQ(readable_count(999), "999");
  EXPECT_EQ(readable_count(1000), "1,000");
  EXPECT_EQ(readable_count(-1'234'567), "-1,234,567");
}

}  // namespace
}  // namespace driftless
