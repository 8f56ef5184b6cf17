// What a run has left is not lost, changed unseen, mixed with another's, or written elsewhere.
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <fstream>

#include "tests/program/program.hpp"

namespace driftless::testing {
namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

const std::string run_to_keep = R"([problem]
dim = 5
[network]
nodes = 4
[algorithm]
kind = "k-gt"
local_rate = 1e-3
[run]
rounds = 20
evaluate_every = 3
[checkpoint]
every_rounds = 5
)";

void put_byte(const fs::path& file, std::streamoff place, char byte) {
  std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
  stream.seekp(place).put(byte);
}

class Keeping : public ::testing::Test {
 protected:
  Keeping() { folder_.write("run.toml", run_to_keep); }

  static Texts arguments(const Texts& more, const std::string& out = "out") {
    Texts all = {"run", "run.toml", "--out", out, "--quiet"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  Finished run(const Texts& more = {}, const std::string& out = "out") const {
    return run_program(arguments(more, out), folder_.path());
  }
  void make_run(const Texts& more = {}, const std::string& out = "out") const {
    const Finished made = run(more, out);
    ASSERT_EQ(made.exit_code, 0) << made.err;
  }
  // A run of 20 rounds of which 10 are done, as a kill would leave it.
  void make_half_a_run() const {
    make_run({"--set", "run.rounds=10"});
    fs::remove(folder_ / "out/summary.json");
    ASSERT_TRUE(fs::exists(folder_ / "out/checkpoints/round-10.ckpt"));
  }
  fs::path newest() const { return folder_ / "out/checkpoints/round-10.ckpt"; }

  // Refused with these words, and not a byte was touched.
  void expect_refused(const Texts& more, const Texts& words) const {
    const auto before = snapshot(folder_.path());
    const Finished refused = run(more);
    EXPECT_EQ(refused.exit_code, 2) << refused.err;
    for (const std::string& word : words)
      EXPECT_NE(refused.err.find(word), std::string::npos) << refused.err;
    EXPECT_TRUE(snapshot(folder_.path()) == before);
  }
  void expect_as_undisturbed() const {
    make_run({}, "undisturbed");
    EXPECT_TRUE(contents_of(folder_ / "out/nodes.npy") ==
                contents_of(folder_ / "undisturbed/nodes.npy"));
    expect_same_metrics(folder_ / "out/metrics.csv", folder_ / "undisturbed/metrics.csv");
  }

  const TemporaryFolder folder_;
};

TEST_F(Keeping, ResumeRefusesACheckpointOfALaterFormatAndLeavesIt) {
  make_half_a_run();
  for (const char* file : {"round-10.ckpt", "round-5.ckpt"})
    put_byte(folder_ / "out/checkpoints" / file, 21, 2);
  expect_refused({"--resume"}, {"round-10.ckpt", "format 2"});
}

TEST_F(Keeping, ResumeRefusesANewestCheckpointThatCannotBeRead) {
  make_half_a_run();
  fs::permissions(newest(), fs::perms::none);
  const auto before = snapshot(folder_ / "out/checkpoints").size();
  Texts command{"/usr/bin/setpriv", "--bounding-set=-all", "--inh-caps=-all", program_path()};
  if (::geteuid() != 0) command = {program_path()};
  for (const std::string& argument : arguments({"--resume"})) command.push_back(argument);
  const Finished refused = Program::command(command, folder_.path()).wait();
  EXPECT_EQ(refused.exit_code, 2) << refused.err;
  EXPECT_NE(refused.err.find("Permission denied"), std::string::npos) << refused.err;
  EXPECT_EQ(snapshot(folder_ / "out/checkpoints").size(), before);
  fs::permissions(newest(), fs::perms::owner_all);
  make_run({"--resume"});
  expect_as_undisturbed();
}

TEST_F(Keeping, ResumeRefusesWhereEveryCheckpointIsDamagedAndNamesThemAll) {
  make_half_a_run();
  for (const char* file : {"round-10.ckpt", "round-5.ckpt"})
    fs::resize_file(folder_ / "out/checkpoints" / file, 100);
  expect_refused({"--resume"}, {"round-10.ckpt", "round-5.ckpt", "none of the checkpoints"});
}

TEST_F(Keeping, ResumeKeepsADamagedCheckpointAside) {
  make_half_a_run();
  fs::resize_file(newest(), 100);
  const std::string damaged = contents_of(newest());
  make_run({"--resume"});
  expect_as_undisturbed();
  EXPECT_EQ(contents_of(newest() += ".damaged"), damaged);
}

TEST_F(Keeping, ResumeFindsTheCheckpointsOfARunThatLostItsConfig) {
  make_half_a_run();
  fs::remove(folder_ / "out/config.toml");
  make_run({"--resume"});
  expect_as_undisturbed();
  fs::remove(folder_ / "out/config.toml");
  fs::remove(folder_ / "out/summary.json");
  expect_refused({"--resume", "--set", "run.seed=2"}, {"run.seed was 1 and is 2"});
}

TEST_F(Keeping, ACheckpointFolderThatIsALinkIsRefused) {
  make_half_a_run();
  fs::rename(folder_ / "out/checkpoints", folder_ / "elsewhere");
  fs::create_directory_symlink("../elsewhere", folder_ / "out/checkpoints");
  expect_refused({"--force"}, {"checkpoints", "link"});
  expect_refused({"--resume"}, {"checkpoints", "link"});
}

TEST_F(Keeping, NothingIsWrittenThroughLinks) {
  folder_.write("mine.txt", "precious");
  fs::create_directory(folder_ / "out");
  for (const char* name : {"config.toml", "metrics.csv", "model.npy", "nodes.npy", "summary.json"})
    fs::create_symlink("../mine.txt", folder_ / "out" / (std::string(name) + ".partial"));
  make_run();
  make_run({}, "other");
  for (const char* name :
       {"config.toml", "metrics.csv", "model.npy", "nodes.npy", "summary.json"}) {
    fs::remove(folder_ / "out" / name);
    fs::create_symlink("../mine.txt", folder_ / "out" / name);
  }
  make_run({"--force"});
  fs::create_symlink("mine.txt", folder_ / "report.html.partial");
  ASSERT_EQ(run_program({"report", "out", "-o", "report.html"}, folder_.path()).exit_code, 0);
  EXPECT_TRUE(contents_of(folder_ / "mine.txt") == "precious");
  EXPECT_FALSE(fs::is_symlink(folder_ / "out/metrics.csv"));
}

TEST_F(Keeping, ResumeSeesOneDigitThatWasChangedInARow) {
  make_half_a_run();
  const fs::path metrics = folder_ / "out/metrics.csv";
  const std::string text = contents_of(metrics);
  const std::size_t row = text.find("\n3,") + 1;
  const std::size_t digit = text.find("0.", text.find(',', row + 30)) + 3;
  put_byte(metrics, static_cast<std::streamoff>(digit), text[digit] == '7' ? '8' : '7');
  ASSERT_NE(contents_of(metrics), text);
  expect_refused({"--resume"}, {"metrics.csv", "is not as the run wrote it"});
}

TEST_F(Keeping, ResumeSeesThatAFinishedRunLostAFile) {
  make_run({"--set", "run.repetitions=2"});
  const Texts more{"--resume", "--set", "run.repetitions=2"};
  make_run(more);
  const fs::path run = folder_ / "out/rep-2";
  const std::string nodes = contents_of(run / "nodes.npy");
  fs::remove(run / "nodes.npy");
  expect_refused(more, {"rep-2/nodes.npy", "removed"});
  folder_.write("out/rep-2/nodes.npy", std::string(nodes.rbegin(), nodes.rend()));
  expect_refused(more, {"rep-2/nodes.npy", "changed"});
  folder_.write("out/rep-2/nodes.npy", nodes);
  make_run(more);
  fs::resize_file(run / "metrics.csv", fs::file_size(run / "metrics.csv") / 2);
  expect_refused(more, {"rep-2/metrics.csv", "changed"});
}

TEST_F(Keeping, ResumeWithOtherDataIsRefusedByTheirName) {
  folder_.write("ring.txt", "0 1\n1 2\n2 3\n3 0\n");
  const Texts network{"--set", "network.file=ring.txt", "--set", "checkpoint.every_rounds=5"};
  Texts first = network;
  first.insert(first.end(), {"--set", "run.rounds=10"});
  make_run(first);
  folder_.write("ring.txt", "0 1\n1 2\n2 3\n3 0\n0 2\n");
  Texts again = first;
  again.emplace_back("--resume");
  expect_refused(again, {"network.file ring.txt", "is not the file that the run"});
  again = network;
  again.emplace_back("--resume");
  expect_refused(again, {"network.file ring.txt"});
  folder_.write("ring.txt", "0 1\n1 2\n2 3\n3 0\n");
  make_run(again);
}

// As if killed while a finished run, whose last row is an odd one, was given more rounds.
TEST_F(Keeping, AFinishedRunWhoseExtensionWasKilledIsOldOrNew) {
  make_run({"--set", "run.rounds=20"});
  const std::string old = contents_of(folder_ / "out/metrics.csv");
  Program longer(arguments({"--resume", "--set", endless}), folder_.path());
  ASSERT_TRUE(longer.lives_until([&] { return !fs::exists(folder_ / "out/summary.json"); }));
  longer.signal(SIGKILL);
  longer.wait();
  const Finished back = run({"--resume"});
  if (back.exit_code == 0) {
    expect_as_undisturbed();
  } else {
    EXPECT_EQ(back.exit_code, 2) << back.err;
  }
}

TEST_F(Keeping, ForceRemovesNoFolderThatNoSweepWrote) {
  make_run({"--set", "run.repetitions=2"});
  folder_.write("out/user=mine/metrics.csv", "precious");
  folder_.write("out/rep-7/config.toml", "precious");
  folder_.write("out/rep-2/notes.txt", "precious");
  make_run({"--force", "--set", "run.repetitions=1"});
  EXPECT_FALSE(fs::exists(folder_ / "out/rep-1"));
  EXPECT_EQ(listing(folder_ / "out/rep-2"), Texts{"notes.txt"});
  EXPECT_EQ(contents_of(folder_ / "out/user=mine/metrics.csv"), "precious");
  EXPECT_EQ(contents_of(folder_ / "out/rep-7/config.toml"), "precious");
}

TEST_F(Keeping, AManifestThatLeadsOutIsRefused) {
  make_run({"--set", "run.repetitions=2"});
  make_run({}, "other");
  folder_.write("out/manifest.json", R"({"runs": ["rep-1", "../other"]})");
  expect_refused({"--force"}, {"manifest.json", "../other"});
}

TEST_F(Keeping, AProgramIsKeptOutOfTheRunsOfASweepThatGoesOn) {
  make_run({"--set", "run.repetitions=2", "--set", "run.rounds=3"});
  Program sweep(
      arguments({"--resume", "--set", "run.repetitions=2", "--set", endless, "--threads", "1"}),
      folder_.path());
  ASSERT_TRUE(sweep.lives_until([&] { return !fs::exists(folder_ / "out/rep-1/summary.json"); }));
  for (const char* out : {"out/rep-1", "out/rep-2", "out/rep-3"}) {
    const Finished other = run({"--force"}, out);
    EXPECT_EQ(other.exit_code, 2) << out;
    EXPECT_NE(other.err.find("another driftless is at work"), std::string::npos) << other.err;
  }
  sweep.signal(SIGINT);
  EXPECT_EQ(sweep.wait().exit_code, 130);
}

TEST_F(Keeping, AFolderThatIsMovedIsFollowed) {
  const Texts sweep{"--set", "run.repetitions=2", "--set", "run.rounds=200000", "--threads", "1"};
  Program program(arguments(sweep), folder_.path());
  ASSERT_TRUE(program.lives_until_there(folder_ / "out/rep-1/checkpoints"));
  fs::rename(folder_ / "out", folder_ / "moved");
  fs::create_directory(folder_ / "out");
  ASSERT_TRUE(program.lives_until_there(folder_ / "moved/rep-1/checkpoints/round-1000.ckpt"));
  program.signal(SIGINT);
  const Finished stopped = program.wait();
  EXPECT_EQ(stopped.exit_code, 130) << stopped.err;
  EXPECT_TRUE(fs::is_empty(folder_ / "out"));
  EXPECT_TRUE(fs::exists(folder_ / "moved/summary.json"));
  EXPECT_NE(stopped.err.find("moved"), std::string::npos) << stopped.err;
}

TEST_F(Keeping, AFolderThatIsRemovedEndsTheRun) {
  Program program(arguments({"--set", endless}), folder_.path());
  ASSERT_TRUE(program.lives_until_there(folder_ / "out/checkpoints"));
  fs::rename(folder_ / "out", folder_ / "gone");
  folder_.remove("gone");
  const Finished ended = program.wait();
  EXPECT_EQ(ended.exit_code, 1);
  EXPECT_NE(ended.err.find("out/checkpoints"), std::string::npos) << ended.err;
  EXPECT_FALSE(fs::exists(folder_ / "out"));
}

}  // namespace
}  // namespace driftless::testing
