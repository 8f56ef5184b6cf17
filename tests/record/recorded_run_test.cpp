#include "driftless/record/recorded_run.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "driftless/base/error.hpp"
#include "tests/support/temporary_folder.hpp"

namespace driftless::testing {
namespace {

std::string error_of(const std::filesystem::path& file) {
  try {
    read_metrics_table(file);
    return "";
  } catch (const DataError& error) {
    return error.what();
  }
}

TEST(ReadMetrics, FindsColumnsByTheirNames) {
  const TemporaryFolder folder;
  const auto file = folder.write("metrics.csv", "loss,of tomorrow,round\n0.5,7,0\n,8,3\nnan,9,6\n");
  const MetricsTable table = read_metrics_table(file);
  ASSERT_EQ(table.rows(), 3U);
  EXPECT_EQ(table["round"], (std::vector<double>{0, 3, 6}));
  EXPECT_EQ(table["loss"][0], 0.5);
  EXPECT_TRUE(std::isnan(table["loss"][1]));
  EXPECT_TRUE(std::isnan(table["loss"][2]));
  EXPECT_TRUE(std::isnan(table["suboptimality"][0]));
  EXPECT_FALSE(table.torn);
}

TEST(ReadMetrics, LeavesOutALastLineThatIsNotWhole) {
  const TemporaryFolder folder;
  const MetricsTable table =
      read_metrics_table(folder.write("metrics.csv", "round,loss\n0,0.5\n1,0.2"));
  EXPECT_EQ(table["loss"], std::vector<double>{0.5});
  EXPECT_TRUE(table.torn);
}

TEST(ReadMetrics, TakesAnEmptyFileForNoRows) {
  const TemporaryFolder folder;
  EXPECT_EQ(read_metrics_table(folder.write("metrics.csv", "")).rows(), 0U);
  EXPECT_EQ(read_metrics_table(folder.write("metrics.csv", "round,loss\n")).rows(), 0U);
}

TEST(ReadMetrics, NamesTheLineThatIsWrong) {
  const TemporaryFolder folder;
  const auto file = folder.write("metrics.csv", "round,loss\n0,1\n1\n2,3\n");
  EXPECT_EQ(error_of(file), file.string() + ":3: found 1 fields, expected 2 as in the first line");
  folder.write("metrics.csv", "round,loss\n0,one\n");
  EXPECT_EQ(error_of(file), file.string() + ":2: found \"one\", expected a number");
  folder.write("metrics.csv", "a,b\n0,1\n");
  EXPECT_NE(error_of(file).find(":1: found \"a,b\", expected the names of columns, round among"),
            std::string::npos);
}

class ReadRuns : public ::testing::Test {
 protected:
  void write_run(const std::string& name, const std::string& kind) const {
    folder_.write(name + "/config.toml",
                  "[algorithm]\nkind = \"" + kind + "\"\nlocal_rate = 0.5\n");
    folder_.write(name + "/metrics.csv", "round,loss\n0,1\n");
  }

  const TemporaryFolder folder_;
};

TEST_F(ReadRuns, FollowsTheOrderOfTheSweep) {
  for (const std::string name : {"a", "b", "c"}) write_run("sweep/" + name, name);
  folder_.write("sweep/experiment.toml", "");
  folder_.write("sweep/summary.json",
                R"({"runs": [{"folder": "b"}, {"folder": "c"}, {"folder": "a"}]})");
  const auto runs = read_runs({folder_ / "sweep"});
  ASSERT_EQ(runs.size(), 3U);
  EXPECT_EQ(runs[0].setting("algorithm.kind"), "b");
  EXPECT_EQ(runs[1].setting("algorithm.kind"), "c");
  EXPECT_EQ(runs[2].setting("algorithm.kind"), "a");
  EXPECT_EQ(runs[0].setting("algorithm.local_rate"), "0.5");
  EXPECT_EQ(runs[0].experiment, folder_ / "sweep");
}

TEST_F(ReadRuns, TakesARunThatHasNotEnded) {
  write_run("run", "k-gt");
  const auto runs = read_runs({folder_ / "run"});
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].outcome(), "unfinished");
}

TEST_F(ReadRuns, ReadsEachRunOnce) {
  write_run("run", "k-gt");
  EXPECT_EQ(read_runs({folder_ / "run", folder_.path(), folder_ / "run"}).size(), 1U);
}

TEST_F(ReadRuns, RefusesWhatHoldsNoRun) {
  folder_.write("other/notes.txt", "");
  EXPECT_THROW(read_runs({folder_ / "other"}), DataError);
  EXPECT_THROW(read_runs({folder_ / "other/notes.txt"}), DataError);
  EXPECT_THROW(read_runs({folder_ / "nowhere"}), DataError);
}

}  // namespace
}  // namespace driftless::testing
