// What goes wrong around a run: the disk, the folder, another program, the numbers.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/program/program.hpp"

namespace driftless::testing {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const std::string run_to_fail = R"([problem]
dim = 300
[network]
nodes = 6
[algorithm]
kind = "k-gt"
local_rate = 1e-3
[run]
rounds = 1500
[checkpoint]
every_rounds = 10
)";
// A shell that may mount what only it sees; its exit code is that of the last command.
class OwnMounts : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.write("run.toml", run_to_fail);
    fs::create_directory(folder_ / "disk");
    if (in_shell("mount -t tmpfs none disk").exit_code != 0) GTEST_SKIP() << "needs root to mount";
  }
  Finished in_shell(const std::string& script) const {
    return Program::command({"/usr/bin/unshare", "-m", "/bin/sh", "-c", script}, folder_.path())
        .wait();
  }
  const TemporaryFolder folder_;
};

TEST_F(OwnMounts, AFullDiskEndsARunThatGoesOnOnceThereIsRoom) {
  ASSERT_EQ(
      run_program({"run", "run.toml", "--out", "undisturbed", "--quiet"}, folder_.path()).exit_code,
      0);
  const Finished full =
      in_shell("mount -t tmpfs -o size=260k none disk && " + program_path() +
               " run run.toml --out disk/out --quiet; code=$?; cp -r disk/out out; exit $code");
  EXPECT_EQ(full.exit_code, 1) << full.err;
  EXPECT_NE(full.err.find("No space left"), std::string::npos) << full.err;
  EXPECT_NE(full.err.find("disk/out/"), std::string::npos) << full.err;
  const Table metrics = read_csv(folder_ / "out/metrics.csv");
  EXPECT_TRUE(contents_of(folder_ / "out/metrics.csv").ends_with('\n')) << "a torn line";
  EXPECT_GT(metrics.rows.size(), 10U);
  EXPECT_LT(metrics.rows.size(), 1501U) << "the disk was not full";

  const Finished resumed =
      run_program({"run", "run.toml", "--out", "out", "--quiet", "--resume"}, folder_.path());
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_TRUE(contents_of(folder_ / "out/nodes.npy") ==
              contents_of(folder_ / "undisturbed/nodes.npy"));
  expect_same_metrics(folder_ / "out/metrics.csv", folder_ / "undisturbed/metrics.csv");
}

TEST_F(OwnMounts, AReadOnlyDiskIsRefusedBeforeAnythingIsComputed) {
  const Finished run = in_shell("mount -t tmpfs -o ro none disk && " + program_path() +
                                " run run.toml --out disk/out --quiet");
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("disk/out"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("Read-only"), std::string::npos) << run.err;
}

TEST(Failure, ASecondProgramIsKeptOutOfTheFolder) {
  const TemporaryFolder folder;
  folder.write("run.toml", run_to_fail);
  Program first({"run", "run.toml", "--out", "out", "--quiet", "--set", endless}, folder.path());
  ASSERT_TRUE(first.lives_until_there(folder / "out/config.toml"));
  for (const char* how : {"--resume", "--force"}) {
    const Finished second =
        run_program({"run", "run.toml", "--out", "out", how, "--set", endless}, folder.path());
    EXPECT_EQ(second.exit_code, 2);
    EXPECT_NE(second.err.find("another driftless is at work"), std::string::npos) << second.err;
  }
  first.signal(SIGINT);
  EXPECT_EQ(first.wait().exit_code, 130);
}

TEST(Failure, ASecondSignalEndsTheProgramAtOnce) {
  const TemporaryFolder folder;
  folder.write("run.toml", run_to_fail);
  // A round of these takes minutes.
  Program program({"run", "run.toml", "--out", "out", "--set", "problem.dim=1000000", "--set",
                   "algorithm.local_steps=10000"},
                  folder.path());
  ASSERT_TRUE(program.lives_until_there(folder / "out/config.toml"));
  program.signal(SIGINT);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));  // two at once would be one
  program.signal(SIGTERM);
  EXPECT_EQ(program.wait().exit_code, -SIGTERM);
}

class Diverging : public ::testing::Test {
 protected:
  Finished run(const std::vector<std::string>& more) const {
    folder_.write("run.toml", run_to_fail);
    std::vector<std::string> arguments = {"run",
                                          "run.toml",
                                          "--out",
                                          "out",
                                          "--quiet",
                                          "--set",
                                          "algorithm.local_rate=5",
                                          "--set",
                                          "run.evaluate_every=100"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments, folder_.path());
  }
  json summary() const { return json::parse(contents_of(folder_ / "out/summary.json")); }
  const TemporaryFolder folder_;
};

TEST_F(Diverging, StopsAndKeepsTheLastCheckpointWithNumbersInIt) {
  const Finished run = this->run({"--set", "run.divergence_factor=1e300"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(summary()["outcome"], "diverged");
  const auto diverged = summary()["last"]["round"].get<std::int64_t>();
  int kept = 0;
  for (const auto& entry : fs::directory_iterator(folder_ / "out/checkpoints")) {
    EXPECT_LT(std::stol(entry.path().stem().string().substr(6)), diverged);
    ++kept;
  }
  EXPECT_EQ(kept, 2);
  // It would end in the same way again.
  const Finished again = this->run({"--resume", "--set", "run.divergence_factor=1e300"});
  EXPECT_EQ(again.exit_code, 1);
  EXPECT_EQ(summary()["last"]["round"], diverged);
}

TEST_F(Diverging, GoesOnWhenThatIsWhatIsStudied) {
  const Finished run = this->run({"--set", "run.on_divergence=continue"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(summary()["outcome"], "finished");
  EXPECT_EQ(summary()["last"]["round"], 1500);
  EXPECT_NE(summary()["diagnosis"].get<std::string>().find("diverged by round 100"),
            std::string::npos);
}

}  // namespace
}  // namespace driftless::testing
