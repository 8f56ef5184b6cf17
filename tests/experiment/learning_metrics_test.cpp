// The columns of a problem that learns from samples.
#include <gtest/gtest.h>

#include "driftless/experiment/metrics.hpp"
#include "driftless/graph/families.hpp"
#include "driftless/problem/data_problem.hpp"
#include "driftless/problem/nn/softmax.hpp"
#include "tests/problem/nn/tiny_data.hpp"
#include "tests/support/trial.hpp"

namespace driftless::testing {
namespace {

constexpr NodeId nodes = 4;
const std::vector<SampleId> ends{4, 13, 15, 30};  // of the nodes' samples

Partition unequal_parts() {
  Partition partition(nodes);
  NodeId node = 0;
  for (SampleId s = 0; s < ends.back(); ++s) {
    if (s == ends[node]) ++node;
    partition[node].push_back(s);
  }
  return partition;
}

// A few rounds of K-GT on nodes with different numbers of samples.
class LearningMetrics : public ::testing::Test {
 protected:
  explicit LearningMetrics(bool with_test = true)
      : data_(make_data(with_test)),
        problem_(data_, std::make_unique<Softmax<double>>(data_->train), unequal_parts(),
                 Batches(4, Sampling::shuffle, 1), {.l2 = 0.2, .nonconvex = 0.1}),
        trial_("k-gt", problem_,
               make_mixing(make_graph({.family = "ring", .nodes = nodes}), Weights::metropolis),
               {.local_rate = 0.5}) {
    for (Round t = 0; t < 8; ++t) trial_.round(t);
  }

  Metrics row(bool gradients) {
    return evaluate<double>(problem_, trial_.network(), trial_.algorithm(), 8,
                            {.gradients = gradients});
  }

  static std::shared_ptr<const LabelledData> make_data(bool with_test) {
    auto data = std::make_shared<LabelledData>();
    data->train = tiny_images(2, 3, ends.back(), 3);
    if (with_test) data->test = tiny_images(2, 3, 40, 3);
    return data;
  }

  std::shared_ptr<const LabelledData> data_;
  DataProblem<double> problem_;
  Trial trial_;
};

class LearningMetricsWithoutTestData : public LearningMetrics {
 protected:
  LearningMetricsWithoutTestData() : LearningMetrics(false) {}
};

TEST_F(LearningMetrics, WeighTheTrainingLossBySamplesAndTheObjectiveByNodes) {
  const Vector<double> mean = trial_.models().colwise().mean();
  const Softmax<double> model(data_->train);
  double objective = 0;
  for (const auto& mine : unequal_parts()) {
    objective += model.score(data_->train, mine, mean).loss / static_cast<double>(mine.size());
  }
  const double all = model.score(data_->train, all_samples(data_->train), mean).loss;
  EXPECT_NEAR(*row(false).train_loss, all / ends.back(), 1e-12);
  EXPECT_NEAR(row(false).loss, objective / nodes + problem_.penalty(mean), 1e-12);
  EXPECT_GT(std::abs(all / ends.back() - objective / nodes), 1e-3) << "nothing is told apart";
}

TEST_F(LearningMetrics, HaveTheAccuracyOfTheAverageOfTheNodesAndOfTheWorst) {
  const Eigen::MatrixXd models = trial_.models();
  const Vector<double> mean = models.colwise().mean();
  const Tally expected = problem_.test(0, mean);
  double worst = 1;
  double loss = 0;
  double accuracy = 0;
  for (NodeId i = 0; i < nodes; ++i) {
    const Tally own = problem_.test(i, Vector<double>(models.row(i)));
    worst = std::min(worst, own.accuracy());
    loss += own.mean_loss() / nodes;
    accuracy += own.accuracy() / nodes;
  }
  EXPECT_NEAR(*row(false).test_loss, expected.mean_loss(), 1e-12);
  EXPECT_DOUBLE_EQ(*row(false).test_accuracy, expected.accuracy());
  EXPECT_NEAR(*row(false).node_loss, loss, 1e-12);
  EXPECT_NEAR(*row(false).node_accuracy, accuracy, 1e-12);
  EXPECT_DOUBLE_EQ(*row(false).worst_node_accuracy, worst);
  EXPECT_LT(worst, accuracy) << "nothing is told apart";
  EXPECT_NE(accuracy, expected.accuracy()) << "nothing is told apart";
}

TEST_F(LearningMetrics, LeaveTheNodesOutWhenOnlyTheAverageIsTested) {
  const Metrics found = evaluate<double>(problem_, trial_.network(), trial_.algorithm(), 8,
                                         {.gradients = false, .every_node = false});
  EXPECT_EQ(found.test_accuracy, row(false).test_accuracy);
  EXPECT_FALSE(found.node_loss || found.node_accuracy || found.worst_node_accuracy);
}

TEST_F(LearningMetrics, CountPassesOverTheSamples) {
  // Passes of 1, 3, 1 and 4 batches.
  EXPECT_DOUBLE_EQ(*row(false).passes, 8 * (1 + 1 / 3.0 + 1 + 1 / 4.0) / 4);
}

bool of_weather(std::string_view name) {
  return name == "members" || name == "links_up" || name == "late_letters" ||
         name == "correction_sum";
}

TEST_F(LearningMetrics, HaveNoGradientColumnsUnlessAsked) {
  const Metrics without = row(false);
  EXPECT_FALSE(without.grad_norm2 || without.heterogeneity || without.correction_error);
  const Metrics with = row(true);
  EXPECT_TRUE(with.grad_norm2 && with.heterogeneity && with.correction_error);
  EXPECT_EQ(with.loss, without.loss);
  for (const MetricColumn& column : metric_columns()) {
    const bool needs_gradients = column.name == "grad_norm2" || column.name == "heterogeneity" ||
                                 column.name == "correction_error";
    const bool never = column.name == "suboptimality" || column.name == "drift" ||
                       column.name == "test_r2" || column.name.starts_with("validation_") ||
                       of_weather(column.name);
    EXPECT_EQ(column.text(without).empty(), needs_gradients || never) << column.name;
    EXPECT_EQ(column.text(with).empty(), never) << column.name;
  }
}

TEST_F(LearningMetricsWithoutTestData, LeaveTheTestColumnsEmpty) {
  const Metrics found = row(false);
  EXPECT_TRUE(found.train_loss);
  EXPECT_FALSE(found.test_loss || found.test_accuracy || found.node_loss || found.node_accuracy ||
               found.worst_node_accuracy);
}

}  // namespace
}  // namespace driftless::testing
