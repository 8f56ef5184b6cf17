// `mpirun driftless run`: the same config over ranks.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "tests/program/program.hpp"
#include "tests/support/learning_data.hpp"

namespace driftless::testing {
namespace {

using Texts = std::vector<std::string>;

class RanksProgram : public ::testing::Test {
 protected:
  Finished run(int ranks, const std::string& out, const Texts& more = {}) const {
    Texts arguments = {"run", "ranks.toml", "--out", out, "--quiet"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments, folder_.path(), ranks);
  }

  // Over 1, 2, 3, 5 and as many ranks as there are nodes, which are 7, with 1 and 2 threads each.
  void expect_same_bits_over_ranks() const {
    const Finished alone = run(0, "alone");
    ASSERT_EQ(alone.exit_code, 0) << alone.err;
    for (const int ranks : {1, 2, 3, 5, 7}) {
      for (const int threads : {1, 2}) {
        const std::string how = fmt::format("{} ranks of {} threads", ranks, threads);
        const Finished over = run(ranks, how, {"--threads", std::to_string(threads)});
        ASSERT_EQ(over.exit_code, 0) << over.err;
        ASSERT_EQ(listing(folder_ / how), listing(folder_ / "alone"));
        for (const std::string& file : listing(folder_ / "alone")) {
          if (file.ends_with(".npy")) {
            EXPECT_EQ(contents_of(folder_ / how / file), contents_of(folder_ / "alone" / file))
                << file << " over " << how;
          }
          if (file.ends_with(".csv")) {
            expect_same_metrics(folder_ / how / file, folder_ / "alone" / file);
          }
        }
      }
    }
  }

  const TemporaryFolder folder_;
};

constexpr auto every_method =
    "[[sweep]]\n'algorithm.kind' = ['gt', 'd2', 'exact-diffusion']\n"
    "[[sweep]]\n'algorithm.local_steps' = [3]\n"
    "'algorithm.kind' = ['k-gt', 'd-sgd', 'periodical-gt', 'periodical-gt-full', "
    "'large-batch-gt', 'large-batch-d-sgd', 'scaffold', 'fedavg', 'led']\n"
    "[[sweep]]\n'algorithm.kind' = ['gossip-pga']\n'algorithm.global_every' = [2]\n"
    "[[sweep]]\n'algorithm.kind' = ['k-gt']\n'algorithm.initial_correction' = ['gradient']\n";

TEST_F(RanksProgram, GiveTheBitsOfOneProcessForEveryMethod) {
  folder_.write("ranks.toml", fmt::format("[problem]\ndim = 7\n[network]\nnodes = 7\n"
                                          "[algorithm]\nlocal_rate = 1e-3\n"
                                          "[run]\nrounds = 6\ndrift = true\n{}",
                                          every_method));
  expect_same_bits_over_ranks();
}

TEST_F(RanksProgram, GiveTheBitsOfOneProcessForEveryMethodOnTheCnn) {
  write_bars(folder_, 40);
  folder_.write("ranks.toml",
                fmt::format("[problem]\nkind = 'cnn'\ndata = 'bars'\nbatch = 4\nsplit = 'random'\n"
                            "[network]\nnodes = 7\n[algorithm]\nlocal_rate = 0.05\n"
                            "[run]\nrounds = 2\ngradient_metrics = true\n{}",
                            every_method));
  expect_same_bits_over_ranks();
}

TEST_F(RanksProgram, RefusesMoreRanksThanNodesInOneWord) {
  folder_.write("ranks.toml",
                "[network]\nnodes = 2\n[algorithm]\nkind = 'k-gt'\nlocal_rate = 1e-3\n"
                "[run]\nrounds = 1\n");
  const Finished over = run(3, "out");
  EXPECT_EQ(over.exit_code, 2);
  const std::string word = "driftless: 3 ranks for 2 nodes";
  const std::size_t found = over.err.find(word);
  EXPECT_NE(found, std::string::npos) << over.err;
  EXPECT_EQ(over.err.find("driftless:", found + 1), std::string::npos) << over.err;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
}

TEST_F(RanksProgram, ReportsABadConfigOnce) {
  folder_.write("ranks.toml", "[algorithm]\nkind = 'k-gtt'\nlocal_rate = 1\n[run]\nrounds = 1\n");
  const Finished over = run(3, "out");
  EXPECT_EQ(over.exit_code, 2);
  const std::size_t found = over.err.find("did you mean k-gt?");
  EXPECT_NE(found, std::string::npos) << over.err;
  EXPECT_EQ(over.err.find("did you mean k-gt?", found + 1), std::string::npos) << over.err;
}

// A job that would take hours, and loses a rank once its first rows are written.
class LostRank : public RanksProgram {
 protected:
  LostRank() {
    folder_.write("ranks.toml",
                  "[problem]\ndim = 50\n[network]\nnodes = 6\n[algorithm]\nkind = 'k-gt'\n"
                  "local_rate = 1e-3\n[run]\nrounds = 1_000_000_000\nevaluate_every = 100\n");
  }

  // How many times a word stands in a text.
  static int count(const std::string& text, const std::string& word) {
    int found = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
      ++found;
    }
    return found;
  }
};

TEST_F(LostRank, EndsTheJobAndIsNamed) {
  for (const int lost : {0, 2}) {
    const std::string out = fmt::format("lost-{}", lost);
    Program job =
        Program::command(mpirun(3, {"run", "ranks.toml", "--out", out, "--quiet"}), folder_.path());
    const auto metrics = folder_ / out / "metrics.csv";
    ASSERT_TRUE(job.lives_until_there(metrics));
    while (count(contents_of(metrics), "\n") < 2) {  // a row besides the header
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    ASSERT_TRUE(job.signal_rank_once_there(lost, SIGKILL, metrics));
    const Finished over = job.wait();
    EXPECT_NE(over.exit_code, 0);
    EXPECT_EQ(count(over.err, fmt::format("rank {}", lost)), 1) << over.err;
    // What was written is whole: every line has all its fields, and the last one its end.
    EXPECT_EQ(contents_of(metrics).back(), '\n');
    const Table table = read_csv(metrics);
    for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.header.size());
    for (const std::string& file : listing(folder_ / out)) {
      EXPECT_FALSE(file.ends_with(".partial")) << file;
    }
  }
}

// The first rank finds its folder gone when it comes to write its files, while the others wait.
TEST_F(LostRank, ThatFailsTellsWhyAndEndsTheJob) {
  Program job =
      Program::command(mpirun(3, {"run", "ranks.toml", "--out", "out", "--quiet"}), folder_.path());
  ASSERT_TRUE(job.lives_until_there(folder_ / "out" / "metrics.csv"));
  std::filesystem::rename(folder_ / "out", folder_ / "gone");
  folder_.remove("gone");
  job.signal_rank_once_there(0, SIGTERM, folder_ / "ranks.toml");  // unless it has noticed before
  const Finished over = job.wait();
  EXPECT_EQ(over.exit_code, 1) << over.err;
  EXPECT_EQ(count(over.err, "driftless: rank 0: "), 1) << over.err;
  EXPECT_EQ(count(over.err, "driftless: "), 1) << over.err;
}

TEST_F(LostRank, ThatHasTooLittleMemoryTellsSoAndEndsTheJob) {
  const Texts arguments{"run",   "ranks.toml",           "--out", "out", "--quiet",
                        "--set", "problem.dim=4_000_000"};
  Texts command = mpirun(1, arguments);
  // In KiB: enough for MPI, too little for the models.
  command.insert(command.end(),
                 {":", "-n", "1", "sh", "-c", "ulimit -v 500000; exec \"$@\"", "sh"});
  const Texts second = mpirun(1, arguments);
  command.insert(command.end(), second.begin() + 3, second.end());
  const Finished over = Program::command(command, folder_.path()).wait();
  EXPECT_EQ(over.exit_code, 1) << over.err;
  EXPECT_EQ(count(over.err, "driftless: rank 1: the memory is used up"), 1) << over.err;
}

}  // namespace
}  // namespace driftless::testing
