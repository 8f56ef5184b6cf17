// Jobs that a rank keeps waiting: it is alive, but stopped or stuck.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <regex>
#include <set>
#include <thread>

#include "tests/program/program.hpp"

namespace driftless::testing {
namespace {

using Texts = std::vector<std::string>;

class SilentRank : public ::testing::Test {
 protected:
  SilentRank() {
    folder_.write("ranks.toml",
                  "[problem]\ndim = 50\n[network]\nnodes = 8\n[algorithm]\nkind = 'k-gt'\n"
                  "local_rate = 1e-3\n[run]\nrounds = 1_000_000_000\nevaluate_every = 1_000_000\n");
  }

  // A job that hangs ends too, with the exit code 124.
  static Texts bounded(const Texts& job) {
    Texts command{"/usr/bin/timeout", "60"};
    command.insert(command.end(), job.begin(), job.end());
    return command;
  }

  // Of four ranks on a ring, so that not all of them wait for the same one.
  Texts job(const Texts& more) const {
    Texts arguments{"run", "ranks.toml", "--out", "out", "--quiet", "--threads", "1"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return bounded(mpirun(4, arguments));
  }

  static void expect_named(const Finished& over, const std::string& rank) {
    EXPECT_EQ(over.exit_code, 1) << over.err;
    static const std::regex word(R"(driftless: rank \d: ranks? ([^;]*) ha(?:s|ve) not answered)");
    std::set<std::string> named;
    for (std::sregex_iterator found(over.err.begin(), over.err.end(), word), end; found != end;
         ++found) {
      named.insert((*found)[1]);
    }
    EXPECT_EQ(named, std::set<std::string>{rank}) << over.err;
  }

  // Once the run is on its way.
  void stop(Program& program, int rank) const {
    ASSERT_TRUE(program.lives_until_there(folder_ / "out/metrics.csv"));
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    ASSERT_TRUE(program.signal_rank_once_there(rank, SIGSTOP, folder_ / "out/metrics.csv"));
  }

  void expect_goes_on_after_a_stop(const std::string& timeout) const {
    Program program = Program::command(
        job({"--timeout", timeout, "--set", "run.evaluate_every=100"}), folder_.path());
    stop(program, 2);
    std::this_thread::sleep_for(std::chrono::seconds(2));
    const auto metrics = folder_ / "out/metrics.csv";
    const auto size = std::filesystem::file_size(metrics);
    program.signal_rank_once_there(2, SIGCONT, metrics);
    EXPECT_TRUE(program.lives_until([&] { return std::filesystem::file_size(metrics) > size; }));
    program.signal_rank_once_there(2, SIGKILL, metrics);
    const Finished over = program.wait();
    EXPECT_EQ(over.err.find("not answered"), std::string::npos) << over.err;
  }

  const TemporaryFolder folder_;
};

TEST_F(SilentRank, ThatNeighboursWaitForIsNamedAndEndsTheJob) {
  Program program = Program::command(job({"--timeout", "0.05"}), folder_.path());
  stop(program, 2);
  const Finished over = program.wait();
  expect_named(over, "2");
  for (const char* word : {"for 0.05 minutes, in round ", "--timeout", "--resume"}) {
    EXPECT_NE(over.err.find(word), std::string::npos) << word << " is not in: " << over.err;
  }
}

TEST_F(SilentRank, ThatAllWaitForIsNamedAndEndsTheJob) {
  Program program = Program::command(job({"--timeout", "0.05", "--set", "algorithm.kind=fedavg"}),
                                     folder_.path());
  stop(program, 0);
  expect_named(program.wait(), "0");
}

TEST_F(SilentRank, MayBeWaitedForWithinTheLimit) { expect_goes_on_after_a_stop("0.2"); }
TEST_F(SilentRank, MayBeWaitedForWithoutALimit) { expect_goes_on_after_a_stop("0"); }

}  // namespace
}  // namespace driftless::testing
