// How runs end before their time: diverged, interrupted, terminated. And the same bits otherwise.
#include <gtest/gtest.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "tests/program/program.hpp"

namespace driftless::testing {
namespace {

using nlohmann::json;

const std::string run_to_end = R"([problem]
dim = 5
[network]
nodes = 7
topology = "complete"
[algorithm]
kind = "k-gt"
local_steps = 2
local_rate = 1e-3
[run]
rounds = 50
)";

// Nobody waits for so many rounds.
void expect_whole_run_that_was_stopped(const std::filesystem::path& folder) {
  const json summary = json::parse(contents_of(folder / "summary.json"));
  EXPECT_EQ(summary["outcome"], "interrupted");
  const Table metrics = read_csv(folder / "metrics.csv");
  EXPECT_EQ(metrics.number(metrics.rows.size() - 1, "round"), summary["last"]["round"]);
  EXPECT_GT(summary["last"]["round"], 0);
  EXPECT_EQ(read_npy(folder / "nodes.npy").rows(), 7);
  EXPECT_EQ(read_npy(folder / "model.npy").cols(), 5);
}

class Interrupted : public ::testing::TestWithParam<std::pair<int, int>> {};

TEST_P(Interrupted, ARunWritesWhatItHasAndExitsAsTheSignalSays) {
  const auto [signal, code] = GetParam();
  const TemporaryFolder folder;
  folder.write("long.toml", run_to_end);
  Program program(
      {"run", "long.toml", "--out", "out", "--set", endless, "--set", "run.evaluate_every=1000"},
      folder.path());
  program.signal_once_there(signal, folder / "out/metrics.csv");
  const Finished run = program.wait();
  EXPECT_EQ(run.exit_code, code) << run.err;
  EXPECT_NE(run.err.find("interrupted"), std::string::npos) << run.err;
  expect_whole_run_that_was_stopped(folder / "out");
}

INSTANTIATE_TEST_SUITE_P(BySignal, Interrupted,
                         ::testing::Values(std::pair{SIGINT, 130}, std::pair{SIGTERM, 143}),
                         [](const auto& tested) {
                           return tested.param.first == SIGINT ? "Interrupt" : "Terminate";
                         });

TEST(InterruptedSweep, KeepsWhatWasBegunAndTellsWhatWasNot) {
  const TemporaryFolder folder;
  folder.write("long.toml", run_to_end + "repetitions = 4\n");
  Program program({"run", "long.toml", "--out", "out", "--threads", "1", "--set", endless, "--set",
                   "run.evaluate_every=1000"},
                  folder.path());
  program.signal_once_there(SIGINT, folder / "out/rep-1/metrics.csv");
  const Finished run = program.wait();
  EXPECT_EQ(run.exit_code, 130) << run.err;
  expect_whole_run_that_was_stopped(folder / "out/rep-1");
  EXPECT_FALSE(std::filesystem::exists(folder / "out/rep-2"));
  const json summary = json::parse(contents_of(folder / "out/summary.json"));
  EXPECT_EQ(summary["runs"][0]["outcome"], "interrupted");
  EXPECT_EQ(summary["runs"][1]["outcome"], "not run");
  EXPECT_EQ(read_csv(folder / "out/metrics.csv").rows.size(),
            read_csv(folder / "out/rep-1/metrics.csv").rows.size());
}

TEST(Divergence, IsReportedWithItsRoundAndTheRateThatCausedIt) {
  const TemporaryFolder folder;
  folder.write("wild.toml", run_to_end);
  const Finished run = run_program({"run", "wild.toml", "--out", "out", "--set",
                                    "algorithm.local_rate=5", "--set", "run.rounds=500"},
                                   folder.path());
  EXPECT_EQ(run.exit_code, 1);
  const json summary = json::parse(contents_of(folder / "out/summary.json"));
  EXPECT_EQ(summary["outcome"], "diverged");
  const Table metrics = read_csv(folder / "out/metrics.csv");
  const std::string last = metrics.text(metrics.rows.size() - 1, "round");
  EXPECT_LT(std::stoi(last), 500) << "it goes on with numbers that mean nothing";
  for (const std::string& word :
       std::vector<std::string>{"diverged", "round " + last, "local_rate = 5"}) {
    EXPECT_NE(run.err.find(word), std::string::npos) << word << " is not in: " << run.err;
    EXPECT_NE(summary["diagnosis"].get<std::string>().find(word), std::string::npos) << word;
  }
  EXPECT_NE(run.out.find("diverged"), std::string::npos) << "the table says so too: " << run.out;
}

TEST(Divergence, OfOneRunOfASweepLeavesTheOthersAlone) {
  const TemporaryFolder folder;
  folder.write("wild.toml", run_to_end + "[sweep]\n'algorithm.local_rate' = [1e-3, 5, 2e-3]\n");
  const Finished run =
      run_program({"run", "wild.toml", "--out", "out", "--set", "run.rounds=500"}, folder.path());
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_NE(run.err.find("local_rate=5: diverged"), std::string::npos) << run.err;
  const json summary = json::parse(contents_of(folder / "out/summary.json"));
  EXPECT_EQ(summary["runs"][0]["outcome"], "finished");
  EXPECT_EQ(summary["runs"][1]["outcome"], "diverged");
  EXPECT_EQ(summary["runs"][2]["outcome"], "finished");
}

TEST(Threads, DoNotChangeABit) {
  const TemporaryFolder folder;
  folder.write("run.toml", run_to_end);
  for (const char* kind : {"k-gt", "scaffold", "gossip-pga"}) {
    std::string first;
    for (const char* threads : {"1", "2", "3", "8"}) {
      const Finished run =
          run_program({"run", "run.toml", "--out", "out", "--force", "--threads", threads, "--set",
                       "problem.dim=1000", "--set", std::string("algorithm.kind=") + kind},
                      folder.path());
      ASSERT_EQ(run.exit_code, 0) << run.err;
      const std::string nodes = contents_of(folder / "out/nodes.npy");
      if (first.empty()) first = nodes;
      EXPECT_TRUE(nodes == first) << kind << " on " << threads << " threads";
    }
  }
}

TEST(Warnings, TellThatAMethodIsLikelyToDivergeOnThisNetwork) {
  const TemporaryFolder folder;
  // On a complete graph of two with weights 0 and 1, lambda_n = −1.
  folder.write("w.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n2 1 1\n");
  folder.write("d2.toml",
               "[network]\nfile = 'w.mtx'\n[algorithm]\nkind = 'd2'\nlocal_rate = 1e-3\n"
               "[run]\nrounds = 2\n");
  const Finished run = run_program({"run", "d2.toml", "--out", "out"}, folder.path());
  EXPECT_EQ(run.exit_code, 0) << run.err;
  for (const char* word : {"warning", "d2", "-1/3", "algorithm.lazy = true"}) {
    EXPECT_NE(run.err.find(word), std::string::npos) << word << " is not in: " << run.err;
  }
}

}  // namespace
}  // namespace driftless::testing
