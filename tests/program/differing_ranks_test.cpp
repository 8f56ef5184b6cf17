// Jobs whose ranks were not started alike.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "tests/program/program.hpp"

namespace driftless::testing {
namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

class DifferingRanks : public ::testing::Test {
 protected:
  DifferingRanks() {
    folder_.write("ranks.toml", config(10));
    folder_.write("other/ranks.toml", config(11));
    folder_.write("points.svm", "1 1:1 2:3\n-1 1:2\n1 2:1\n-1 1:3\n");
    folder_.write("other/points.svm", "1 1:1 2:3\n-1 1:2\n1 2:1\n-1 1:3\n");
    folder_.write("changed/points.svm", "1 1:1 2:3\n-1 1:2\n1 2:1\n-1 1:4\n");
  }

  static std::string config(int rounds) {
    return fmt::format(
        "[problem]\nkind = 'logistic'\ndata = 'points.svm'\nbatch = 1\n[network]\nnodes = 2\n"
        "[algorithm]\nkind = 'k-gt'\nlocal_rate = 1e-3\n[run]\nrounds = {}\n",
        rounds);
  }

  static Texts with(Texts arguments, const Texts& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }

  // A job that hangs ends too, with the exit code 124.
  Finished finish(const Texts& job) const {
    return Program::command(with({"/usr/bin/timeout", "60"}, job), folder_.path()).wait();
  }
  Finished run(const Texts& first, const Texts& second) const {
    return finish(mpirun_of_two(first, second));
  }
  // A job whose second rank is given other words.
  Finished run_with_second(const Texts& second) const { return run(run_, with(run_, second)); }

  // All ranks end with exit code 2 and these words, once; nothing is written.
  void expect_refused(const Finished& over, const std::string& words) const {
    EXPECT_EQ(over.exit_code, 2) << over.err;
    EXPECT_NE(over.err.find("driftless: " + words), std::string::npos) << over.err;
    EXPECT_EQ(over.err.find("driftless: "), over.err.rfind("driftless: ")) << over.err;
    EXPECT_FALSE(fs::exists(folder_ / "out"));
  }

  const TemporaryFolder folder_;
  const Texts run_{"run", "ranks.toml", "--out", "out", "--quiet"};
};

TEST_F(DifferingRanks, AreRefusedWhereTheFileOfAConfigDiffers) {
  expect_refused(run(run_, {"run", "other/ranks.toml", "--out", "out", "--quiet"}),
                 "rank 1 has another config or other data than rank 0");
}

TEST_F(DifferingRanks, AreRefusedWhereOneSampleDiffers) {
  expect_refused(run_with_second({"--set", "problem.data=changed/points.svm"}),
                 "rank 1 was started with --set problem.data=points.svm, rank 0 without");
  const Texts same{"--set", "problem.data=points.svm"};
  const Texts changed{"--set", "problem.data=changed/points.svm"};
  expect_refused(run(with(run_, same), with(run_, changed)),
                 "rank 1 has another config or other data than rank 0");
}

TEST_F(DifferingRanks, AreRefusedWhereOptionsDiffer) {
  expect_refused(run(with(run_, {"--resume"}), with(run_, {"--force"})),
                 "rank 1 was started with --force, rank 0 with --resume; give all ranks the same");
  expect_refused(run_with_second({"--set", "algorithm.local_rate=1.1e-3"}),
                 "rank 1 was started with --set algorithm.local_rate=1.1e-3, rank 0 without;");
  expect_refused(run(run_, {"run", "ranks.toml", "--out", "elsewhere", "--quiet"}),
                 "rank 1 was started with --out elsewhere, rank 0 with --out out;");
  const Texts set_twice{"--set", "run.rounds=3", "--set", "run.rounds=4"};
  const Texts other_order{"--set", "run.rounds=4", "--set", "run.rounds=3"};
  expect_refused(run(with(run_, set_twice), with(run_, other_order)),
                 "rank 1 was started with run");
}

TEST_F(DifferingRanks, AreRefusedWhereCommandsDiffer) {
  expect_refused(run(run_, {"list"}),
                 "rank 1 was started with list, rank 0 with run ranks.toml --out out --quiet;");
  expect_refused(run(run_, {"--help"}), "rank 1 was started with --help, rank 0 with run");
}

TEST_F(DifferingRanks, EndTogetherWhereOneCommandLineIsWrong) {
  expect_refused(run(run_, {"run", "ranks.toml", "--quite"}), "rank 1: ");
  expect_refused(run({"runn"}, run_), "unknown command runn; did you mean run?");
}

TEST_F(DifferingRanks, AreRefusedWhereTheyAreOtherBuildsOfOneVersion) {
  // The note of the linker's id: the lengths of name and id, the type, and the name.
  using namespace std::string_literals;
  const std::string note = "\4\0\0\0\24\0\0\0\3\0\0\0GNU\0"s;
  std::string program = contents_of(program_path());
  const std::size_t at = program.find(note);
  ASSERT_NE(at, std::string::npos) << "the program has no build id";
  program[at + note.size()] = static_cast<char>(~program[at + note.size()]);
  const fs::path other = folder_.write("driftless", program);
  fs::permissions(other, fs::perms::owner_all);

  Texts job = mpirun_of_two(run_, run_);
  *std::ranges::find(job.rbegin(), job.rend(), program_path()) = other.string();
  expect_refused(finish(job), "rank 1 is driftless 0.");
}

// There is no test accuracy without test samples, which only the rows show, and only to rank 0.
TEST_F(DifferingRanks, EndTogetherWhereOneFindsAFaultOnTheWay) {
  folder_.write(
      "ranks.toml",
      config(10) + "[tune]\nmetric = 'test_accuracy'\n'algorithm.local_rate' = [0.1, 1]\n");
  const Finished over = finish(mpirun(2, run_));
  EXPECT_EQ(over.exit_code, 2) << over.err;
  EXPECT_NE(over.err.find("driftless: rank 0: tune.metric"), std::string::npos) << over.err;
}

TEST_F(DifferingRanks, MayKeepFilesElsewhereAndUseOtherThreads) {
  const Finished over = run(
      {"run", "ranks.toml", "--out", "out", "--threads", "1", "--set", "problem.data=points.svm"},
      {"run", "--threads", "2", "./ranks.toml", "--out", "there/out/", "--set",
       "problem.data=other/points.svm"});
  EXPECT_EQ(over.exit_code, 0) << over.err;
  EXPECT_TRUE(fs::exists(folder_ / "out/summary.json"));
  EXPECT_FALSE(fs::exists(folder_ / "there"));
}

TEST_F(DifferingRanks, AreRefusedByCommandsOfOneProcess) {
  for (const char* command : {"list", "reproduce"}) {
    const Texts arguments =
        command == std::string("list") ? Texts{"list"} : Texts{"reproduce", "fig1", "--out", "out"};
    const Finished over = finish(mpirun(2, arguments));
    expect_refused(over, fmt::format("{}: runs in one process; start it without mpirun", command));
    EXPECT_EQ(over.out, "");
  }
}

TEST_F(DifferingRanks, ThatAskForHelpGetItOnce) {
  const Finished over = finish(mpirun(2, {"--version"}));
  EXPECT_EQ(over.exit_code, 0) << over.err;
  EXPECT_TRUE(over.out.starts_with("driftless 0.")) << over.out;
  EXPECT_EQ(over.out.find('\n'), over.out.size() - 1) << over.out;
}

}  // namespace
}  // namespace driftless::testing
