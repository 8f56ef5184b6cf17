// `mpirun driftless run`: the same config over ranks.
#include <gtest/gtest.h>

#include <fstream>

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

  // Everything but the time it took.
  static void expect_same_metrics(const std::filesystem::path& one,
                                  const std::filesystem::path& other) {
    const Table a = read_csv(one);
    const Table b = read_csv(other);
    ASSERT_EQ(a.header, b.header);
    ASSERT_EQ(a.rows.size(), b.rows.size());
    for (std::size_t row = 0; row < a.rows.size(); ++row) {
      for (std::size_t k = 0; k < a.header.size(); ++k) {
        if (a.header[k] == "seconds") continue;
        EXPECT_EQ(a.rows[row][k], b.rows[row][k]) << a.header[k] << " of row " << row;
      }
    }
  }

  void expect_same_bits_over_ranks(const Texts& ranks_and_threads) const {
    const Finished alone = run(0, "alone");
    ASSERT_EQ(alone.exit_code, 0) << alone.err;
    for (const std::string& how : ranks_and_threads) {
      const int ranks = std::stoi(how);
      const Finished over = run(ranks, how, {"--threads", how.substr(how.find('x') + 1)});
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

  const TemporaryFolder folder_;
};

TEST_F(RanksProgram, GivesTheBitsOfOneProcessForEveryMethod) {
  folder_.write("ranks.toml",
                "[problem]\ndim = 7\n[network]\nnodes = 5\n[algorithm]\nlocal_rate = 1e-3\n"
                "[run]\nrounds = 6\ndrift = true\n"
                "[[sweep]]\n'algorithm.kind' = ['gt', 'd2', 'exact-diffusion']\n"
                "[[sweep]]\n'algorithm.local_steps' = [3]\n"
                "'algorithm.kind' = ['k-gt', 'd-sgd', 'periodical-gt', 'periodical-gt-full', "
                "'large-batch-gt', 'large-batch-d-sgd', 'scaffold', 'fedavg', 'led']\n"
                "[[sweep]]\n'algorithm.kind' = ['gossip-pga']\n'algorithm.global_every' = [2]\n"
                "[[sweep]]\n'algorithm.kind' = ['k-gt']\n"
                "'algorithm.initial_correction' = ['gradient']\n");
  expect_same_bits_over_ranks({"1x1", "2x2", "3x1", "5x1"});
}

TEST_F(RanksProgram, GivesTheBitsOfOneProcessForTheCnn) {
  write_bars(folder_, 40);
  folder_.write("ranks.toml",
                "[problem]\nkind = 'cnn'\ndata = 'bars'\nbatch = 4\n[network]\nnodes = 5\n"
                "[algorithm]\nkind = 'k-gt'\nlocal_steps = 2\nlocal_rate = 0.05\n"
                "[run]\nrounds = 3\ngradient_metrics = true\n");
  expect_same_bits_over_ranks({"2x1", "3x2", "5x1"});
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

}  // namespace
}  // namespace driftless::testing
