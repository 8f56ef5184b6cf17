#include "driftless/record/recorded_run.hpp"

#include <gtest/gtest.h>

#include <mutex>
#include <set>

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

TEST_F(ReadRuns, FollowsTheFoldersWhereNoSweepHasEnded) {
  for (const std::string name : {"a-b/x", "a/y", "a/x", "a"}) write_run("sweep/" + name, name);
  folder_.write("sweep/experiment.toml", "");
  std::vector<std::string> kinds;
  for (const RecordedRun& run : read_runs({folder_ / "sweep"}))
    kinds.push_back(run.setting("algorithm.kind"));
  EXPECT_EQ(kinds, (std::vector<std::string>{"a", "a/x", "a/y", "a-b/x"}));
}

// As the completion of a shell writes it.
TEST_F(ReadRuns, TakesAFolderWithASlash) {
  write_run("runs/a", "k-gt");
  write_run("runs/b", "gt");
  folder_.write("experiment.toml", "");  // of a folder above, which is not asked
  for (const char* slashes : {"/", "//", "/."}) {
    const auto runs = read_runs({(folder_ / "runs").string() + slashes});
    ASSERT_EQ(runs.size(), 2U);
    for (const RecordedRun& run : runs) EXPECT_EQ(run.experiment, run.folder);
  }
}

TEST_F(ReadRuns, RefusesASummaryThatNoRunWrites) {
  write_run("run", "k-gt");
  folder_.write("run/experiment.toml", "");
  const auto fault = [&](const std::string& summary) {
    const auto file = folder_.write("run/summary.json", summary);
    try {
      read_runs({folder_ / "run"}).front().outcome();
      return std::string();
    } catch (const DataError& error) {
      return std::string(error.what()).substr(file.string().size());
    }
  };
  EXPECT_EQ(fault(R"({"outcome": "finished", "network": {"p": 1, "nodes": {}}, "runs": [{}]})"),
            "");
  EXPECT_EQ(fault(R"({"split": {"classes": ["a", "b"], "samples": ["3 0", "1 12"]}})"), "");
  const char* not_a_split = ": split is not as a run writes it: expected the names of the classes";
  struct Case {
    std::string summary;
    const char* told;  // how the message begins
  };
  const Case cases[] = {
      {R"({"outcome": 3})", ": outcome is number, expected string; run again"},
      {R"({"diagnosis": []})", ": diagnosis is array, expected string"},
      {R"({"network": 7})", ": network is number, expected object"},
      {R"({"network": {"p": "much"}})", ": network.p is string, expected number"},
      {R"({"split": []})", ": split is array, expected object"},
      {R"({"split": {}})", not_a_split},
      {R"({"split": {"classes": [1], "samples": ["1"]}})", not_a_split},
      {R"({"split": {"classes": ["a"], "samples": [1]}})", not_a_split},
      {R"({"split": {"classes": ["a"], "samples": ["1 2"]}})", not_a_split},
      {R"({"split": {"classes": ["a", "b"], "samples": ["1"]}})", not_a_split},
      {R"({"split": {"classes": ["a"], "samples": ["-1"]}})", not_a_split},
      {R"({"split": {"classes": ["a"], "samples": "1"}})", not_a_split},
      {R"({"split": {"classes": [], "samples": [)" + std::string(100, ' ') + R"("")" +
           [] {
             std::string more;
             for (int k = 0; k < 100; ++k) more += R"(,"")";
             return more;
           }() +
           "]}}",
       not_a_split},
      {R"({"runs": {}})", ": runs is object, expected array"},
      {R"({"runs": [{}, 1]})", ": runs holds number, expected objects"},
      {R"({"runs": [{"folder": null}]})", ": runs: folder is null, expected string"},
      {"[]", ": is not an object as a run writes it; run again, or remove it"},
      {"", ": not valid JSON: "},
      {R"({"outcome": "a", "outcome": "b"})", ": the key \"outcome\" is given twice"},
      {R"({"x": )" + std::string(300'000, '['), ": not valid JSON: nests deeper than 64 levels"},
  };
  for (const auto& [summary, told] : cases) {
    EXPECT_TRUE(fault(summary).starts_with(told)) << summary.substr(0, 80) << fault(summary);
    EXPECT_EQ(fault(summary).find("exception"), std::string::npos) << fault(summary);
  }
}

TEST_F(ReadRuns, RefusesAConfigThatNestsDeep) {
  write_run("run", "k-gt");
  std::string key = "a";
  for (int k = 0; k < 40'000; ++k) key += ".a";
  const auto file = folder_.write("run/config.toml", key + " = 1\n");
  try {
    read_runs({folder_ / "run"});
    FAIL();
  } catch (const DataError& error) {
    EXPECT_EQ(error.what(), file.string() +
                                ":1: more than 32 dots in a key; the config of a run is as the run "
                                "wrote it");
  }
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
  std::filesystem::create_directory_symlink(folder_ / "run", folder_ / "link");
  EXPECT_EQ(read_runs({folder_ / "run", folder_ / "link"}).size(), 1U);
}

TEST_F(ReadRuns, TellsHowManyAreRead) {
  for (const std::string name : {"a", "b", "c"}) write_run("runs/" + name, name);
  std::mutex mutex;
  std::set<std::size_t> told;
  read_runs({folder_ / "runs"}, [&](std::size_t done, std::size_t all) {
    const std::lock_guard lock(mutex);
    told.insert(done);
    EXPECT_EQ(all, 3U);
  });
  EXPECT_EQ(told, (std::set<std::size_t>{1, 2, 3}));
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
