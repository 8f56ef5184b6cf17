#include "driftless/reproduce/measured.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "driftless/experiment/metrics.hpp"
#include "tests/support/temporary_folder.hpp"

namespace driftless::testing {
namespace {

// A run with these losses, ten rounds apart.
RecordedRun run_of(const std::vector<double>& losses, const std::string& outcome = "finished") {
  RecordedRun run;
  run.summary = {{"outcome", outcome}};
  for (const double loss : losses) {
    Metrics& row = run.metrics.rows.emplace_back();
    row.round = 10 * (std::ssize(run.metrics.rows) - 1);
    row.loss = loss;
  }
  return run;
}

TEST(FinalMean, IsOverTheLastFifthOfTheRounds) {
  EXPECT_DOUBLE_EQ(final_mean("loss")(run_of({99, 99, 99, 99, 1, 4})), 2.5);
}

TEST(RoundsBelow, CountsWhereItStaysBelow) {
  EXPECT_DOUBLE_EQ(rounds_below("loss", 2)(run_of({9, 1, 5, 2, 1})), 30) << "equal counts";
  EXPECT_DOUBLE_EQ(rounds_below("loss", 10)(run_of({9, 1, 5})), 0);
  EXPECT_TRUE(std::isnan(rounds_below("loss", 2)(run_of({9, 1, 5}))));
}

TEST(RoundsTo, CountsWhereItIsFirstReachedOrElseAllRounds) {
  EXPECT_DOUBLE_EQ(rounds_to("loss", 2)(run_of({0, 1, 2, 1, 3})), 20) << "equal counts";
  EXPECT_DOUBLE_EQ(rounds_to("loss", 4)(run_of({0, 1, 3})), 20) << "never";
}

TEST(Readings, OfARunThatDidNotFinishAreNone) {
  for (const char* outcome : {"diverged", "interrupted"}) {
    const RecordedRun run = run_of({1, 1}, outcome);
    EXPECT_TRUE(std::isnan(final_mean("loss")(run)));
    EXPECT_TRUE(std::isnan(rounds_below("loss", 2)(run)));
    EXPECT_TRUE(std::isnan(last_value("loss")(run)));
  }
  EXPECT_DOUBLE_EQ(last_value("loss")(run_of({1, 3})), 3);
}

TEST(Readings, OfAccuracyAreZeroForARunThatDivergedAndStillNoneForOneThatWasCut) {
  const Reading reading = zero_if_diverged(last_value("loss"));
  EXPECT_EQ(reading(run_of({1, 1}, "diverged")), 0);
  EXPECT_TRUE(std::isnan(reading(run_of({1, 1}, "interrupted"))));
  EXPECT_DOUBLE_EQ(reading(run_of({1, 3})), 3);
}

TEST(Measured, LeavesOutRunsWithoutASeedOrRows) {
  const TemporaryFolder folder;
  folder.write("a/config.toml", "[run]\nseed = 'none'\n");
  folder.write("a/metrics.csv", "round,loss\n0,1\n");
  folder.write("b/config.toml", "[run]\nseed = 1\n");
  folder.write("b/metrics.csv", "round,loss\n");
  folder.write("b/summary.json", R"({"outcome": "finished"})");
  const std::vector<double> values = Measured(folder.path())({}, last_value("loss")).values;
  ASSERT_EQ(values.size(), 1U);
  EXPECT_TRUE(std::isnan(values[0]));
}

// Folders sort rep-10 before rep-9; pairs must not.
TEST(Measured, OrdersByTheSeedAndSelectsBySettings) {
  const TemporaryFolder folder;
  for (const int seed : {8, 9, 10, 11}) {
    const std::string name = "rep-" + std::to_string(seed);
    const std::string kind = seed == 8 ? "d-sgd" : "k-gt";
    folder.write(name + "/config.toml", "[algorithm]\nkind = '" + kind +
                                            "'\n[run]\nseed = " + std::to_string(seed) + "\n");
    folder.write(name + "/metrics.csv", "round,loss\n0," + std::to_string(seed) + "\n");
    folder.write(name + "/summary.json", R"({"outcome": "finished"})");
  }
  const Measured measured(folder.path());
  const Sample found = measured({{"algorithm.kind", "k-gt"}}, last_value("loss"));
  EXPECT_EQ(found.values, (std::vector<double>{9, 10, 11}));
  EXPECT_EQ(found.seeds, (std::vector<std::int64_t>{9, 10, 11}));
  ASSERT_EQ(found.sides.size(), 1U);
  EXPECT_EQ(found.sides[0].configs.size(), 3U);
  EXPECT_NE(found.sides[0].configs[0], found.sides[0].configs[1]) << "the seeds differ";
  EXPECT_EQ(measured({{"algorithm.kind", "d-sgd"}}, last_value("loss")).values,
            std::vector<double>{8});
  EXPECT_TRUE(measured({{"algorithm.kind", "led"}}, last_value("loss")).values.empty());
}

// A program that was killed while it took more seeds leaves some of them: they must not count
// before the others are there, and one that is not done has no value.
TEST(Measured, CountsSeedsUpToALimitAndNoneThatIsNotDone) {
  const TemporaryFolder folder;
  for (const int seed : {1, 2, 3, 4}) {
    const std::string name = "rep-" + std::to_string(seed);
    folder.write(name + "/config.toml", "[run]\nseed = " + std::to_string(seed) + "\n");
    folder.write(name + "/metrics.csv", "round,loss\n0," + std::to_string(seed) + "\n");
    if (seed != 2) folder.write(name + "/summary.json", R"({"outcome": "finished"})");
  }
  const Sample found = Measured(folder.path(), "one", 3)({}, last_value("loss"));
  EXPECT_EQ(found.seeds, (std::vector<std::int64_t>{1, 3}));
}

}  // namespace
}  // namespace driftless::testing
