// `driftless run` on problems that learn from samples, with small made-up data.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/program/program.hpp"
#include "tests/support/contains.hpp"
#include "tests/support/learning_data.hpp"

namespace driftless::testing {
namespace {

using Texts = std::vector<std::string>;

const std::string network_and_method =
    "[network]\nnodes = 5\n[algorithm]\nkind = 'k-gt'\nlocal_steps = 2\nlocal_rate = 0.05\n"
    "[run]\nrounds = 6\nevaluate_every = 3\n";

class LearningProgram : public ::testing::Test {
 protected:
  LearningProgram() {
    write_bars(folder_, 40);
    write_points(folder_, 60);
  }

  Finished learn(const std::string& problem, const Texts& more = {}) const {
    folder_.write("learn.toml", "[problem]\n" + problem + network_and_method);
    Texts arguments = {"run", "learn.toml", "--out", "out", "--force"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments, folder_.path());
  }

  // Of a NumPy file: its first line.
  std::string header_of(const char* file) const {
    const std::string bytes = contents_of(folder_ / file);
    return bytes.substr(0, bytes.find('\n'));
  }

  const TemporaryFolder folder_;
};

TEST_F(LearningProgram, TrainsACnnInFloat) {
  const Finished run = learn("kind = 'cnn'\ndata = 'bars'\nbatch = 4\n");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(listing(folder_ / "out"), (Texts{"config.toml", "metrics.csv", "model.json",
                                             "model.npy", "nodes.npy", "summary.json"}));
  EXPECT_TRUE(contains(header_of("out/nodes.npy"), "'descr': '<f4'"));
  EXPECT_TRUE(contains(header_of("out/nodes.npy"), "'shape': (5, 21840)"));
  EXPECT_TRUE(contains(header_of("out/model.npy"), "'descr': '<f4'"));
  const std::size_t size = contents_of(folder_ / "out/nodes.npy").size();
  EXPECT_EQ(size - header_of("out/nodes.npy").size() - 1, sizeof(float) * 5 * 21840);
}

TEST_F(LearningProgram, SolvesConvexProblemsInDouble) {
  const Finished run = learn("kind = 'softmax'\ndata = 'bars'\n");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(read_npy(folder_ / "out/nodes.npy").rows(), 5);
  EXPECT_EQ(read_npy(folder_ / "out/model.npy").cols(), 785 * 10);
}

TEST_F(LearningProgram, FillsTheColumnsOfLearning) {
  const Finished run = learn("kind = 'cnn'\ndata = 'bars'\nbatch = 4\n");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const Table metrics = read_csv(folder_ / "out/metrics.csv");
  ASSERT_EQ(metrics.rows.size(), 3U);
  for (std::size_t row = 0; row < 3; ++row) {
    EXPECT_GT(metrics.number(row, "train_loss"), 0);
    EXPECT_GT(metrics.number(row, "test_loss"), 0);
    const double accuracy = metrics.number(row, "test_accuracy");
    const double worst = metrics.number(row, "worst_node_accuracy");
    EXPECT_TRUE(0 <= worst && worst <= 1 && 0 <= accuracy && accuracy <= 1);
    for (const char* column : {"suboptimality", "grad_norm2", "heterogeneity", "drift"}) {
      EXPECT_EQ(metrics.text(row, column), "") << column;
    }
  }
  EXPECT_EQ(metrics.text(0, "passes"), "0");
  EXPECT_EQ(metrics.text(2, "passes"), "6");  // 8 samples in batches of 4, 12 steps
  // 5 edges, both directions, 2 vectors of floats.
  EXPECT_EQ(metrics.text(2, "bytes_total"), std::to_string(6 * 5 * 2 * 2 * 21840 * 4));
}

// 40 samples in order 0, 1, … 9, 0, 1 …: sorted, each of five nodes has all four of two classes.
TEST_F(LearningProgram, TellsWhoHasWhichClasses) {
  const Finished run = learn("kind = 'softmax'\ndata = 'bars'\n");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto summary = nlohmann::json::parse(contents_of(folder_ / "out/summary.json"));
  EXPECT_EQ(summary["split"]["classes"],
            nlohmann::json({"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}));
  EXPECT_EQ(summary["split"]["samples"],
            nlohmann::json({"4 4 0 0 0 0 0 0 0 0", "0 0 4 4 0 0 0 0 0 0", "0 0 0 0 4 4 0 0 0 0",
                            "0 0 0 0 0 0 4 4 0 0", "0 0 0 0 0 0 0 0 4 4"}));
}

TEST_F(LearningProgram, FillsTheColumnsOfGradientsWhenAsked) {
  const Finished run =
      learn("kind = 'mlp'\ndata = 'bars'\nhidden = '8'\n", {"--set", "run.gradient_metrics=true"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const Table metrics = read_csv(folder_ / "out/metrics.csv");
  for (const char* column : {"grad_norm2", "heterogeneity", "correction_error"}) {
    EXPECT_GT(metrics.number(2, column), 0) << column;
  }
}

TEST_F(LearningProgram, ClosesWithTheAccuracies) {
  const Finished run = learn("kind = 'cnn'\ndata = 'bars'\nbatch = 4\n");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(contains(run.out, "test accuracy"));
  EXPECT_TRUE(contains(run.out, "worst node's"));
  const Table metrics = read_csv(folder_ / "out/metrics.csv");
  EXPECT_TRUE(contains(run.out, metrics.text(2, "test_accuracy").substr(0, 4)));
}

TEST_F(LearningProgram, TestsTheAverageAloneWhenAsked) {
  const Finished run =
      learn("kind = 'cnn'\ndata = 'bars'\n", {"--set", "run.test_every_node=false"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(contains(run.out, "test accuracy"));
  EXPECT_EQ(run.out.find("worst node's"), std::string::npos) << run.out;
  const Table metrics = read_csv(folder_ / "out/metrics.csv");
  EXPECT_NE(metrics.text(2, "test_accuracy"), "");
  EXPECT_EQ(metrics.text(2, "worst_node_accuracy"), "");
}

TEST_F(LearningProgram, SaysNothingOfAccuracyWithoutTestData) {
  const Finished run = learn("kind = 'logistic'\ndata = 'points.svm'\n");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out.find("accuracy"), std::string::npos) << run.out;
  const Table metrics = read_csv(folder_ / "out/metrics.csv");
  EXPECT_GT(metrics.number(2, "train_loss"), 0);
  for (const char* column : {"test_loss", "test_accuracy", "worst_node_accuracy"}) {
    EXPECT_EQ(metrics.text(2, column), "") << column;
  }
}

TEST_F(LearningProgram, RepeatsItselfFromTheConfigThatItWrote) {
  ASSERT_EQ(
      learn("kind = 'cnn'\ndata = 'bars'\nbatch = 4\nsplit = 'dirichlet'\nalpha = 0.3\n").exit_code,
      0);
  const Finished again =
      run_program({"run", "out/config.toml", "--out", "again", "--threads", "1"}, folder_.path());
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(contents_of(folder_ / "again/nodes.npy"), contents_of(folder_ / "out/nodes.npy"));
}

}  // namespace
}  // namespace driftless::testing
