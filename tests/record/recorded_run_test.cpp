#include "driftless/record/recorded_run.hpp"

#include <gtest/gtest.h>

#include "driftless/base/error.hpp"
#include "tests/support/temporary_folder.hpp"

namespace driftless::testing {
namespace {

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

TEST_F(ReadRuns, NamesTheLineThatIsWrong) {
  write_run("run", "k-gt");
  const auto file = folder_.write("run/metrics.csv", "round,loss\n0,1\n1\n2,3\n");
  try {
    read_runs({folder_ / "run"});
    FAIL();
  } catch (const DataError& error) {
    EXPECT_EQ(error.what(), file.string() + ":3: found 1 fields, expected 2 as in the first line");
  }
}

TEST_F(ReadRuns, RefusesWhatHoldsNoRun) {
  folder_.write("other/notes.txt", "");
  EXPECT_THROW(read_runs({folder_ / "other"}), DataError);
  EXPECT_THROW(read_runs({folder_ / "other/notes.txt"}), DataError);
  EXPECT_THROW(read_runs({folder_ / "nowhere"}), DataError);
}

}  // namespace
}  // namespace driftless::testing
