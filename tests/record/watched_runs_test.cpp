#include "driftless/record/watched_runs.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/contains.hpp"
#include "tests/support/temporary_folder.hpp"

namespace driftless::testing {
namespace {

namespace fs = std::filesystem;

class Watched : public ::testing::Test {
 protected:
  void begin(const std::string& run, const std::string& rows = "0,5\n") const {
    folder_.write(run + "/config.toml", "[algorithm]\nkind = \"gt\"\n");
    folder_.write(run + "/metrics.csv", "round,loss\n" + rows);
  }
  void append(const std::string& run, const std::string& text) const {
    std::ofstream(folder_ / (run + "/metrics.csv"), std::ios::app) << text;
  }
  static std::size_t rows(const WatchedRuns& watched, std::size_t run) {
    return watched.runs().at(run).metrics.rows.size();
  }

  const TemporaryFolder folder_;
};

TEST_F(Watched, SeesRowsThatArriveAndNothingWhereNothingDoes) {
  begin("run");
  WatchedRuns watched({folder_ / "run"});
  EXPECT_TRUE(watched.look());
  EXPECT_FALSE(watched.look());
  append("run", "1,4\n2,");
  EXPECT_TRUE(watched.look());
  EXPECT_EQ(rows(watched, 0), 2U);
  EXPECT_TRUE(watched.runs()[0].metrics.torn);
  append("run", "3\n");
  EXPECT_TRUE(watched.look());
  EXPECT_EQ(rows(watched, 0), 3U);
  EXPECT_FALSE(watched.runs()[0].metrics.torn);
  folder_.write("run/summary.json", R"({"outcome": "finished"})");
  EXPECT_TRUE(watched.look());
  EXPECT_EQ(watched.runs()[0].outcome(), "finished");
  EXPECT_FALSE(watched.look());
}

// What the file of the other run holds was exchanged behind the same size and time: whoever reads
// it sees that.
TEST_F(Watched, ReadsNoRunAgainThatHasNotChanged) {
  begin("sweep/changed");
  begin("sweep/same");
  WatchedRuns watched({folder_ / "sweep"});
  watched.look();
  const fs::path file = folder_ / "sweep/same/metrics.csv";
  const auto written = fs::last_write_time(file);
  std::ofstream(file) << "round,loss\n0,7\n";
  fs::last_write_time(file, written);
  append("sweep/changed", "1,4\n");
  EXPECT_TRUE(watched.look());
  EXPECT_EQ(rows(watched, 0), 2U);
  EXPECT_EQ(watched.runs()[1].column("loss"), std::vector<double>{5});
}

TEST_F(Watched, AwaitsRunsThatHaveNotBegun) {
  begin("one");
  const std::string slash = (folder_ / "two").string() + "/";
  WatchedRuns watched({folder_ / "one", slash});
  watched.look();
  EXPECT_EQ(watched.runs().size(), 1U);
  EXPECT_EQ(watched.awaited(), std::vector<fs::path>{folder_ / "two"});
  EXPECT_TRUE(watched.faults().empty());
  begin("two/rep-1");
  EXPECT_TRUE(watched.look());
  EXPECT_EQ(watched.runs().size(), 2U);
  EXPECT_TRUE(watched.awaited().empty());
}

TEST_F(Watched, LeavesOutWhatCannotBeReadAndTellsWhy) {
  begin("sweep/good");
  begin("sweep/other");
  WatchedRuns watched({folder_ / "sweep"});
  watched.look();
  append("sweep/other", "1,words\n");
  EXPECT_TRUE(watched.look());
  ASSERT_EQ(watched.runs().size(), 1U);
  EXPECT_EQ(watched.runs()[0].folder, folder_ / "sweep/good");
  ASSERT_EQ(watched.faults().size(), 1U);
  EXPECT_TRUE(contains(watched.faults()[0], "other/metrics.csv:3: found \"words\""));
  begin("sweep/other", "0,5\n1,4\n");
  EXPECT_TRUE(watched.look());
  EXPECT_EQ(watched.runs().size(), 2U);
  EXPECT_TRUE(watched.faults().empty());
}

TEST_F(Watched, GoesOnWhenAFolderVanishes) {
  begin("sweep/a");
  begin("sweep/b");
  WatchedRuns watched({folder_ / "sweep"});
  watched.look();
  folder_.remove("sweep/a");
  EXPECT_TRUE(watched.look());
  EXPECT_EQ(watched.runs().size(), 1U);
  folder_.remove("sweep");
  EXPECT_TRUE(watched.look());
  EXPECT_TRUE(watched.runs().empty());
  EXPECT_EQ(watched.awaited().size(), 1U);
}

TEST_F(Watched, KnowsTheAgeOfTheNewestRowOfRunsThatGoOn) {
  begin("sweep/a");
  begin("sweep/b");
  const auto minutes_ago = [&](const char* run, int minutes) {
    fs::last_write_time(folder_ / "sweep" / run / "metrics.csv",
                        fs::file_time_type::clock::now() - std::chrono::minutes(minutes));
  };
  minutes_ago("a", 10);
  minutes_ago("b", 20);
  WatchedRuns watched({folder_ / "sweep"});
  watched.look();
  EXPECT_NEAR(watched.seconds_since_row().value(), 600, 60);
  folder_.write("sweep/a/summary.json", "{}");
  watched.look();
  EXPECT_NEAR(watched.seconds_since_row().value(), 1200, 60);
  folder_.write("sweep/b/summary.json", "{}");
  watched.look();
  EXPECT_FALSE(watched.seconds_since_row());
}

}  // namespace
}  // namespace driftless::testing
