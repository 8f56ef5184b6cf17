// Sweeps and repetitions: their folders, their combined files, and the same bits as runs alone.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/program/program.hpp"

namespace driftless::testing {
namespace {

using Texts = std::vector<std::string>;
using nlohmann::json;

const std::string sweep_config = R"([problem]
dim = 3
[network]
nodes = 5
[algorithm]
kind = "k-gt"
local_steps = 2
local_rate = 0.01
[run]
rounds = 8
repetitions = 2
seed = 3
target = 1.0
[sweep]
"algorithm.kind" = ["k-gt", "d-sgd"]
"problem.heterogeneity" = [0, 10]
)";

const Texts combinations = {"kind=k-gt,heterogeneity=0", "kind=k-gt,heterogeneity=10",
                            "kind=d-sgd,heterogeneity=0", "kind=d-sgd,heterogeneity=10"};

class Sweep : public ::testing::Test {
 protected:
  void SetUp() override { folder_.write("sweep.toml", sweep_config); }

  Finished start(const Texts& more) const {
    Texts arguments = {"run", "sweep.toml"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments, folder_.path());
  }

  const TemporaryFolder folder_;
};

TEST_F(Sweep, LeavesAFolderForEachRunAndItsFilesAtTheTop) {
  const Finished run = start({"--out", "out"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  Texts expected = {"experiment.toml", "manifest.json", "metrics.csv", "summary.json"};
  for (const std::string& combination : combinations) {
    expected.push_back(combination);
    for (const std::string repetition : {"/rep-1", "/rep-2"}) {
      expected.push_back(combination + repetition);
      for (const std::string file :
           {"/config.toml", "/metrics.csv", "/model.npy", "/nodes.npy", "/summary.json"}) {
        expected.push_back(fmt::format("{}{}{}", combination, repetition, file));
      }
    }
  }
  std::ranges::sort(expected);
  EXPECT_EQ(listing(folder_ / "out"), expected);
  EXPECT_EQ(contents_of(folder_ / "out/experiment.toml"), sweep_config);
}

TEST_F(Sweep, CombinesAllRowsInLongForm) {
  ASSERT_EQ(start({"--out", "out"}).exit_code, 0);
  const Table all = read_csv(folder_ / "out/metrics.csv");
  EXPECT_EQ((Texts{all.header.begin(), all.header.begin() + 5}),
            (Texts{"algorithm.kind", "problem.heterogeneity", "repetition", "seed", "round"}));
  ASSERT_EQ(all.rows.size(), 4U * 2 * 9);
  std::size_t row = 0;
  for (const std::string kind : {"k-gt", "d-sgd"}) {
    for (const std::string heterogeneity : {"0", "10"}) {
      for (const int repetition : {1, 2}) {
        const std::string name =
            fmt::format("kind={},heterogeneity={}/rep-{}", kind, heterogeneity, repetition);
        const Table single = read_csv(folder_ / "out" / name / "metrics.csv");
        for (const Texts& fields : single.rows) {
          Texts expected = {kind, heterogeneity, std::to_string(repetition),
                            std::to_string(3 + repetition - 1)};
          expected.insert(expected.end(), fields.begin(), fields.end());
          EXPECT_EQ(all.rows[row++], expected);
        }
      }
    }
  }
}

TEST_F(Sweep, SummarisesItsRuns) {
  ASSERT_EQ(start({"--out", "out", "--set", "run.evaluate_every=8"}).exit_code, 0);
  const json summary = json::parse(contents_of(folder_ / "out/summary.json"));
  EXPECT_EQ(summary["overrides"], json({"run.evaluate_every=8"}));
  EXPECT_EQ(summary["varied_keys"], json({"algorithm.kind", "problem.heterogeneity"}));
  EXPECT_EQ(summary["repetitions"], 2);
  EXPECT_EQ(summary["target"], 1.0);
  ASSERT_EQ(summary["runs"].size(), 8U);
  const json& third = summary["runs"][3];
  EXPECT_EQ(third["folder"], "kind=k-gt,heterogeneity=10/rep-2");
  EXPECT_EQ(third["varied"]["problem.heterogeneity"], "10");
  EXPECT_EQ(third["seed"], 4);
  EXPECT_EQ(third["outcome"], "finished");
  EXPECT_TRUE(third["final_suboptimality"].is_number());
}

TEST_F(Sweep, SummarisesItsCombinationsWithIntervals) {
  ASSERT_EQ(start({"--out", "out"}).exit_code, 0);
  const json summary = json::parse(contents_of(folder_ / "out/summary.json"));
  ASSERT_EQ(summary["combinations"].size(), 4U);
  const json& second = summary["combinations"][1];
  EXPECT_EQ(second["combination"], combinations[1]);
  EXPECT_EQ(second["varied"]["problem.heterogeneity"], "10");
  const double a = summary["runs"][2]["final_suboptimality"];
  const double b = summary["runs"][3]["final_suboptimality"];
  const json& level = second["final_suboptimality"];
  EXPECT_NEAR(level["mean"], (a + b) / 2, 1e-12);
  // Of two values: t for one degree of freedom times |a - b|/2.
  EXPECT_NEAR(level["interval_95"], 12.7062 * std::abs(a - b) / 2, 1e-4 * std::abs(a - b));
  EXPECT_EQ(level["n"], 2);
}

TEST_F(Sweep, SaysWhereTheTargetWasNotReached) {
  ASSERT_EQ(start({"--out", "out", "--set", "run.target=1e-9"}).exit_code, 0);
  const json missed = json::parse(contents_of(folder_ / "out/summary.json"));
  EXPECT_EQ(missed["runs"][0]["rounds_to_target"], "not reached");
  EXPECT_EQ(missed["runs"][0]["bytes_to_target"], "not reached");
  EXPECT_EQ(missed["combinations"][0]["rounds_to_target"], "not reached");
  ASSERT_EQ(start({"--out", "easy", "--set", "run.target=1e9"}).exit_code, 0);
  const json easy = json::parse(contents_of(folder_ / "easy/summary.json"));
  EXPECT_EQ(easy["runs"][0]["rounds_to_target"], 0);
  EXPECT_EQ(easy["combinations"][0]["rounds_to_target"],
            json({{"mean", 0.0}, {"interval_95", 0.0}, {"min", 0.0}, {"max", 0.0}, {"n", 2}}));
}

TEST_F(Sweep, GivesEveryRunTheBitsThatItHasAlone) {
  ASSERT_EQ(start({"--out", "out", "--threads", "3"}).exit_code, 0);
  for (const std::string& combination : combinations) {
    const auto run = folder_ / "out" / combination / "rep-2";
    const Finished alone = run_program(
        {"run", (run / "config.toml").string(), "--out", "alone", "--force", "--threads", "1"},
        folder_.path());
    ASSERT_EQ(alone.exit_code, 0) << alone.err;
    EXPECT_EQ(contents_of(folder_ / "alone/nodes.npy"), contents_of(run / "nodes.npy"))
        << combination;
  }
}

TEST_F(Sweep, RepeatsWithOtherNoiseAndOtherData) {
  ASSERT_EQ(start({"--out", "out"}).exit_code, 0);
  const auto run = folder_ / "out" / combinations[0];
  EXPECT_NE(contents_of(run / "rep-1/nodes.npy"), contents_of(run / "rep-2/nodes.npy"));
}

TEST_F(Sweep, IsReplacedByForceDownToTheStrangersFiles) {
  ASSERT_EQ(start({"--out", "out"}).exit_code, 0);
  const std::string mine = "out/" + combinations[0] + "/rep-1/notes.txt";
  folder_.write(mine, "mine");
  folder_.write("out/other-run/config.toml", "mine");
  folder_.write("out/other-run/metrics.csv", "mine");
  const Finished refused = start({"--out", "out"});
  EXPECT_EQ(refused.exit_code, 2);

  const Finished again = start({"--out", "out", "--force", "--set", "algorithm.kind=gt", "--set",
                                "algorithm.local_steps=1", "--set", "problem.heterogeneity=1",
                                "--set", "run.repetitions=1"});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(listing(folder_ / "out"),
            (Texts{"config.toml", combinations[0], combinations[0] + "/rep-1",
                   combinations[0] + "/rep-1/notes.txt", "metrics.csv", "model.npy", "nodes.npy",
                   "other-run", "other-run/config.toml", "other-run/metrics.csv", "summary.json"}));
}

TEST_F(Sweep, EndsWithATableThatHasALineForEachCombination) {
  const Finished run = start({"--out", "out"});
  EXPECT_EQ(run.err, "");
  std::istringstream lines(run.out);
  std::string line;
  std::getline(lines, line);
  for (const char* heading : {"method", "heterogeneity", "rounds to 1", "final suboptimality"}) {
    EXPECT_NE(line.find(heading), std::string::npos) << heading << " is not in: " << line;
  }
  for (const char* method : {"k-gt", "k-gt", "d-sgd", "d-sgd"}) {
    std::getline(lines, line);
    EXPECT_TRUE(line.starts_with(method)) << line;
    EXPECT_NE(line.find("–"), std::string::npos) << line;
  }
  std::getline(lines, line);
  EXPECT_EQ(line,
            "final: the mean over the last fifth of the rounds; in brackets, the range of the 2 "
            "repetitions");
  std::getline(lines, line);
  EXPECT_EQ(line, "written to out");
}

// A run that cannot write its files fails the sweep, but must not spoil those beside it.
TEST_F(Sweep, WithARunThatFailsLeavesTheOthersWhole) {
  folder_.write("out/" + combinations[1], "in the way");
  const Finished run = start({"--out", "out", "--threads", "2", "--set", "run.rounds=2000"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_NE(run.err.find(combinations[1]), std::string::npos) << run.err;
  ASSERT_EQ(start({"--out", "good", "--set", "run.rounds=2000"}).exit_code, 0);
  int whole = 0;
  for (const std::string& combination : combinations) {
    for (const std::string repetition : {"rep-1", "rep-2"}) {
      const auto name = std::filesystem::path(combination) / repetition;
      if (!std::filesystem::is_directory(folder_ / "out" / combination)) continue;
      if (!std::filesystem::exists(folder_.path() / "out" / name / "summary.json")) continue;
      ++whole;
      EXPECT_EQ(contents_of(folder_.path() / "out" / name / "nodes.npy"),
                contents_of(folder_.path() / "good" / name / "nodes.npy"))
          << name;
    }
  }
  EXPECT_GE(whole, 1);
}

// The seconds in metrics.csv tell whether a run was copied or done again.
TEST_F(Sweep, TakesOverRunsOfTheSameConfigAndNoOthers) {
  ASSERT_EQ(start({"--out", "before"}).exit_code, 0);
  const std::string changed = "kind=d-sgd,heterogeneity=0/rep-1";
  folder_.write("before/" + changed + "/model.npy", "no model");
  const Texts more = {"--out", "out", "--reuse", "before", "--set", "run.repetitions=3"};
  const Finished run = start(more);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  for (const std::string& combination : combinations) {
    for (const std::string rep : {"rep-1", "rep-2"}) {
      const std::string name = fmt::format("{}/{}", combination, rep);
      const bool copied = contents_of(folder_ / "out" / name / "metrics.csv") ==
                          contents_of(folder_ / "before" / name / "metrics.csv");
      EXPECT_EQ(copied, name != changed) << name << ": only a whole run is taken over";
    }
    EXPECT_FALSE(std::filesystem::exists(folder_ / "before" / combination / "rep-3"));
    EXPECT_TRUE(std::filesystem::exists(folder_ / "out" / combination / "rep-3/model.npy"));
  }
  ASSERT_EQ(start({"--out", "fresh", "--set", "run.repetitions=3"}).exit_code, 0);
  for (const std::string& combination : combinations) {
    for (const std::string rep : {"rep-1", "rep-3"}) {
      EXPECT_EQ(contents_of(folder_ / "out" / combination / rep / "nodes.npy"),
                contents_of(folder_ / "fresh" / combination / rep / "nodes.npy"));
    }
  }
  const Finished resumed = start({"--out", "out", "--set", "run.repetitions=3", "--resume"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_NE(resumed.err.find("of 12 runs 12 are done"), std::string::npos) << resumed.err;
}

}  // namespace
}  // namespace driftless::testing
