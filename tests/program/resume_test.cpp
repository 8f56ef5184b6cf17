// What was interrupted goes on as if nothing had happened.
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <regex>
#include <thread>

#include "driftless/base/types.hpp"
#include "tests/program/program.hpp"

namespace driftless::testing {
namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;
using nlohmann::json;

// Long enough that it can be caught on its way, with rows and checkpoints in different rounds.
const std::string run_to_resume = R"([problem]
dim = 300
[network]
nodes = 6
[algorithm]
kind = "k-gt"
local_steps = 5
local_rate = 1e-3
[run]
rounds = 1500
evaluate_every = 4
drift = true
[checkpoint]
every_rounds = 7
)";

class Resume : public ::testing::Test {
 protected:
  Resume() { folder_.write("run.toml", run_to_resume); }

  static Texts arguments(const std::string& out, const Texts& more) {
    Texts all = {"run", "run.toml", "--out", out, "--quiet"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  Finished run(const std::string& out, const Texts& more = {}, int ranks = 0) const {
    return run_program(arguments(out, more), folder_.path(), ranks);
  }
  void run_undisturbed(const Texts& more = {}) const {
    const Finished finished = run("undisturbed", more);
    ASSERT_EQ(finished.exit_code, 0) << finished.err;
  }

  // The rounds after which a run has a checkpoint, the newest; −1: none.
  static Round newest_checkpoint(const fs::path& run) {
    Round newest = -1;
    std::error_code vanished;  // files come and go
    for (const auto& entry : fs::directory_iterator(run / "checkpoints", vanished)) {
      if (entry.path().extension() == ".ckpt") {
        newest = std::max(newest, Round{std::stol(entry.path().stem().string().substr(6))});
      }
    }
    return newest;
  }

  // Ends the program by the signal once it has saved the run in `folder` again.
  Finished end_after_a_checkpoint(const fs::path& run, int signal, const Texts& more) const {
    const Round before = newest_checkpoint(run);
    Program program(arguments("out", more), folder_.path());
    if (program.lives_until([&] { return newest_checkpoint(run) > before; })) {
      program.signal(signal);
    }
    return program.wait();
  }

  void expect_as_if_undisturbed(const std::string& below = "") const {
    const fs::path found = folder_ / "out" / below;
    const fs::path expected = folder_ / "undisturbed" / below;
    for (const char* file : {"nodes.npy", "model.npy", "config.toml"}) {
      EXPECT_TRUE(contents_of(found / file) == contents_of(expected / file)) << file;
    }
    expect_same_metrics(found / "metrics.csv", expected / "metrics.csv");
    json a = json::parse(contents_of(found / "summary.json"));
    json b = json::parse(contents_of(expected / "summary.json"));
    for (json* summary : {&a, &b}) {
      summary->erase("seconds");
      summary->erase("ended");
      summary->erase("threads");
      (*summary)["last"].erase("seconds");
      (*summary)["outputs"].erase("metrics.csv");  // which holds the seconds too
    }
    EXPECT_EQ(a, b);
  }

  const TemporaryFolder folder_;
};

TEST_F(Resume, AfterKillsGoesOnBitForBitOnOtherThreadsToo) {
  run_undisturbed();
  Texts more;
  int kills = 0;
  for (const char* threads : {"1", "2", "3", "2", "1"}) {
    kills += end_after_a_checkpoint(folder_ / "out", SIGKILL, more).exit_code == -SIGKILL ? 1 : 0;
    more = {"--resume", "--threads", threads};
  }
  EXPECT_GE(kills, 1) << "it was too fast for this test";
  const Finished last = run("out", {"--resume"});
  EXPECT_EQ(last.exit_code, 0) << last.err;
  expect_as_if_undisturbed();
}

TEST_F(Resume, GoesOnOverAnotherNumberOfRanks) {
  run_undisturbed();
  ASSERT_EQ(end_after_a_checkpoint(folder_ / "out", SIGKILL, {}).exit_code, -SIGKILL);
  Program over = Program::command(mpirun(3, arguments("out", {"--resume"})), folder_.path());
  const Round before = newest_checkpoint(folder_ / "out");
  ASSERT_TRUE(over.lives_until([&] { return newest_checkpoint(folder_ / "out") > before; }));
  ASSERT_TRUE(over.signal_rank_once_there(1, SIGKILL, folder_ / "out/config.toml"));
  EXPECT_NE(over.wait().exit_code, 0);
  const Finished two = run("out", {"--resume"}, 2);
  EXPECT_EQ(two.exit_code, 0) << two.err;
  expect_as_if_undisturbed();
}

TEST_F(Resume, WithoutACheckpointBeginsAgain) {
  run_undisturbed();
  Program program(arguments("out", {"--set", "checkpoint.every_rounds=100000"}), folder_.path());
  program.signal_once_there(SIGKILL, folder_ / "out/config.toml");
  program.wait();
  const Finished finished = run("out", {"--resume"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  expect_as_if_undisturbed();
}

TEST_F(Resume, OfNothingIsAFirstRun) {
  run_undisturbed();
  EXPECT_EQ(run("out", {"--resume"}).exit_code, 0);
  expect_as_if_undisturbed();
}

class ResumeSignal : public Resume, public ::testing::WithParamInterface<int> {};

TEST_P(ResumeSignal, IsAnsweredByACheckpointAndTheCommandThatContinues) {
  run_undisturbed();
  const Finished stopped = end_after_a_checkpoint(folder_ / "out", GetParam(), {"--threads", "1"});
  ASSERT_EQ(stopped.exit_code, 128 + GetParam()) << stopped.err;
  const json summary = json::parse(contents_of(folder_ / "out/summary.json"));
  EXPECT_EQ(summary["outcome"], "interrupted");
  EXPECT_EQ(newest_checkpoint(folder_ / "out"), summary["last"]["round"]);
  const std::string command = " run run.toml --out out --threads 1 --quiet --resume\n";
  EXPECT_NE(stopped.err.find(program_path() + command), std::string::npos) << stopped.err;

  EXPECT_EQ(run("out", {"--resume"}).exit_code, 0);
  expect_as_if_undisturbed();
}

INSTANTIATE_TEST_SUITE_P(BySignal, ResumeSignal, ::testing::Values(SIGINT, SIGTERM, SIGUSR1),
                         [](const auto& tested) {
                           return tested.param == SIGINT    ? "Interrupt"
                                  : tested.param == SIGTERM ? "Terminate"
                                                            : "User1";
                         });

TEST_F(Resume, OverRanksGoesOnFromTheSignalThatMpirunHandsOn) {
  run_undisturbed();
  Program over = Program::command(mpirun(2, arguments("out", {})), folder_.path());
  ASSERT_TRUE(over.lives_until([&] { return newest_checkpoint(folder_ / "out") > 0; }));
  over.signal(SIGUSR1);
  EXPECT_EQ(over.wait().exit_code, 128 + SIGUSR1);
  EXPECT_EQ(json::parse(contents_of(folder_ / "out/summary.json"))["outcome"], "interrupted");
  EXPECT_EQ(run("out", {"--resume"}, 3).exit_code, 0);
  expect_as_if_undisturbed();
}

// The newest is torn, as no kill leaves it but a failing disk may.
TEST_F(Resume, TakesTheCheckpointBeforeADamagedOneAndSaysSo) {
  run_undisturbed();
  ASSERT_EQ(end_after_a_checkpoint(folder_ / "out", SIGTERM, {}).exit_code, 143);
  const fs::path newest = folder_ / "out/checkpoints" /
                          ("round-" + std::to_string(newest_checkpoint(folder_ / "out")) + ".ckpt");
  fs::resize_file(newest, fs::file_size(newest) / 2);
  const Finished finished = run("out", {"--resume"});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_NE(finished.err.find(newest.filename().string()), std::string::npos) << finished.err;
  expect_as_if_undisturbed();
}

TEST_F(Resume, OfALongerRunAddsRounds) {
  run_undisturbed();
  ASSERT_EQ(run("out", {"--set", "run.rounds=602"}).exit_code, 0);
  const Finished longer = run("out", {"--resume"});
  EXPECT_EQ(longer.exit_code, 0) << longer.err;
  expect_as_if_undisturbed();
}

TEST_F(Resume, OfAnotherConfigIsRefusedAndLeavesAllAsItWas) {
  ASSERT_EQ(run("out", {"--set", "run.rounds=30"}).exit_code, 0);
  const std::string metrics = contents_of(folder_ / "out/metrics.csv");
  const Finished other = run("out", {"--resume", "--set", "run.rounds=30", "--set", "run.seed=5"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_NE(other.err.find("run.seed was 1 and is 5"), std::string::npos) << other.err;
  const Finished fewer = run("out", {"--resume", "--set", "run.rounds=20"});
  EXPECT_EQ(fewer.exit_code, 2);
  EXPECT_NE(fewer.err.find("30 rounds are done"), std::string::npos) << fewer.err;
  EXPECT_EQ(contents_of(folder_ / "out/metrics.csv"), metrics);
}

TEST_F(Resume, AndForceExcludeEachOther) {
  EXPECT_EQ(run("out", {"--resume", "--force"}).exit_code, 2);
  EXPECT_FALSE(fs::exists(folder_ / "out"));
}

TEST_F(Resume, OfASweepIsNotThatOfARun) {
  ASSERT_EQ(run("out", {"--set", "run.rounds=3"}).exit_code, 0);
  const Finished sweep =
      run("out", {"--resume", "--set", "run.rounds=3", "--set", "run.repetitions=2"});
  EXPECT_EQ(sweep.exit_code, 2);
  EXPECT_NE(sweep.err.find("holds a single run"), std::string::npos) << sweep.err;
}

TEST_F(Resume, OfASweepRepeatsNothingThatIsDone) {
  folder_.write("run.toml", run_to_resume +
                                "[[sweep]]\n'algorithm.kind' = 'led'\n'run.rounds' = 40\n"
                                "[[sweep]]\n'algorithm.kind' = ['k-gt', 'd-sgd', 'scaffold']\n");
  run_undisturbed();
  const std::string first = "kind=led,rounds=40";
  const std::string second = "kind=k-gt,rounds=1500";
  ASSERT_EQ(end_after_a_checkpoint(folder_ / "out" / second, SIGINT, {"--threads", "1"}).exit_code,
            130);
  const json stopped = json::parse(contents_of(folder_ / "out/summary.json"));
  EXPECT_EQ(stopped["runs"][0]["outcome"], "finished");
  EXPECT_EQ(stopped["runs"][1]["outcome"], "interrupted");
  EXPECT_EQ(stopped["runs"][2]["outcome"], "not run");
  const auto written = fs::last_write_time(folder_ / "out" / first / "summary.json");

  // Then a kill, which leaves no summary of the sweep.
  end_after_a_checkpoint(folder_ / "out/kind=d-sgd,rounds=1500", SIGKILL,
                         {"--resume", "--threads", "1"});
  EXPECT_FALSE(fs::exists(folder_ / "out/summary.json"));
  const Finished finished = run("out", {"--resume"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(fs::last_write_time(folder_ / "out" / first / "summary.json"), written);
  for (const json& each : json::parse(contents_of(folder_ / "out/summary.json"))["runs"]) {
    expect_as_if_undisturbed(each["folder"]);
  }
  expect_same_metrics(folder_ / "out/metrics.csv", folder_ / "undisturbed/metrics.csv");
  EXPECT_EQ(json::parse(contents_of(folder_ / "out/summary.json"))["runs"],
            json::parse(contents_of(folder_ / "undisturbed/summary.json"))["runs"]);
}

TEST_F(Resume, IsNotHinderedByForceWhichRemovesCheckpointsToo) {
  ASSERT_EQ(run("out", {"--set", "run.rounds=30"}).exit_code, 0);
  ASSERT_EQ(newest_checkpoint(folder_ / "out"), 30);
  ASSERT_EQ(run("out", {"--force", "--set", "run.rounds=10", "--set", "checkpoint.every_rounds=10"})
                .exit_code,
            0);
  EXPECT_EQ(newest_checkpoint(folder_ / "out"), 10);
}

// Progress shows after two seconds.
TEST_F(Resume, TellsProgressOfTheWholeRun) {
  const std::string rows = "run.evaluate_every=999_999_999";
  ASSERT_EQ(run("out", {"--set", rows, "--set", "run.rounds=150"}).exit_code, 0);
  Program program({"run", "run.toml", "--out", "out", "--resume", "--set", endless, "--set", rows},
                  folder_.path());
  std::this_thread::sleep_for(std::chrono::milliseconds(2500));
  program.signal(SIGINT);
  const Finished resumed = program.wait();
  std::smatch found;
  ASSERT_TRUE(std::regex_search(resumed.err, found, std::regex(R"(round (\d+)/(\d+)  (.*))")))
      << resumed.err;
  EXPECT_GT(std::stol(found[1]), 150);
  EXPECT_EQ(std::stol(found[2]), 1'000'000'000);
  EXPECT_EQ(found[3].str().find("loss"), std::string::npos) << found[3];
}

}  // namespace
}  // namespace driftless::testing
