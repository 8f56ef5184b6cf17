#include "driftless/problem/data_problem.hpp"

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <cmath>
#include <numeric>

#include "driftless/data/split.hpp"
#include "driftless/problem/nn/cnn.hpp"
#include "driftless/problem/nn/softmax.hpp"
#include "tests/problem/nn/tiny_data.hpp"

namespace driftless::testing {
namespace {

constexpr SampleId train_samples = 53;
constexpr Index features = 6;
constexpr int classes = 3;
constexpr Index dim = (features + 1) * classes;

std::shared_ptr<const LabelledData> tiny_data(SampleId samples = train_samples) {
  auto data = std::make_shared<LabelledData>();
  data->train = tiny_images(2, 3, samples, classes);
  data->test = tiny_images(2, 3, samples + 1300, classes);
  return data;
}

// Nodes of 5, 20 and 28 samples.
Partition three_nodes() {
  Partition partition(3);
  for (SampleId s = 0; s < train_samples; ++s) {
    partition[s % 10 == 9 ? 0 : (s < 22 ? 1 : 2)].push_back(s);
  }
  return partition;
}

// What Batches hands out is theirs to test; here the numbers that come of it count.
struct Options {
  SampleId batch = 8;
  Sampling sampling = Sampling::shuffle;
  DataProblemOptions regularisers = {};
  std::shared_ptr<const LabelledData> data = tiny_data();
};

DataProblem<double> softmax_problem(const Options& options = {}) {
  return {options.data, std::make_unique<Softmax<double>>(options.data->train), three_nodes(),
          Batches(options.batch, options.sampling, 1), options.regularisers};
}

// The loss of one sample, written out.
double loss_of(const Dataset& data, SampleId sample, const Vector<double>& x, int* best = nullptr) {
  std::vector<double> input(features);
  read_sample(data, sample, input.data());
  std::vector<double> logits;
  double sum = 0;
  for (int c = 0; c < classes; ++c) {
    double logit = x[features * classes + c];
    for (Index k = 0; k < features; ++k) logit += x[c * features + k] * input[k];
    logits.push_back(logit);
    sum += std::exp(logit);
  }
  if (best != nullptr) {
    *best = static_cast<int>(std::ranges::max_element(logits) - logits.begin());
  }
  return std::log(sum) - logits[data.labels[sample]];
}

TEST(DataProblem, HasTheMeanLossOfANodesSamplesAndTheRegularisers) {
  const Vector<double> x = random_vector<double>(1, dim);
  const auto data = tiny_data();
  double saturating = 0;
  for (const double v : x) saturating += v * v / (1 + v * v);
  for (const double l2 : {0.0, 0.3}) {
    for (const double nonconvex : {0.0, 0.7}) {
      const auto problem = softmax_problem({.regularisers = {.l2 = l2, .nonconvex = nonconvex}});
      const double penalty = l2 / 2 * x.squaredNorm() + nonconvex * saturating;
      EXPECT_NEAR(problem.penalty(x), penalty, 1e-13);
      for (NodeId i = 0; i < 3; ++i) {
        const std::vector<SampleId> mine = three_nodes()[i];
        double expected = penalty;
        for (const SampleId s : mine) {
          expected += loss_of(data->train, s, x) / static_cast<double>(mine.size());
        }
        EXPECT_NEAR(problem.loss(i, x), expected, 1e-12) << "node " << i;
        EXPECT_EQ(problem.samples(i), std::ssize(mine));
      }
    }
  }
}

TEST(DataProblem, HasFullGradientsThatAreThoseOfItsLosses) {
  const auto problem = softmax_problem({.regularisers = {.l2 = 0.3, .nonconvex = 0.7}});
  const Vector<double> x = random_vector<double>(2, dim);
  Vector<double> g(dim);
  for (NodeId i = 0; i < 3; ++i) {
    problem.full_gradient(i, x, {}, g);
    for (Index j = 0; j < dim; ++j) {
      const Vector<double> move = 1e-5 * Vector<double>::Unit(dim, j);
      const Vector<double> ahead = x + move;
      const Vector<double> behind = x - move;
      EXPECT_NEAR(g[j], (problem.loss(i, ahead) - problem.loss(i, behind)) / 2e-5, 1e-8);
    }
  }
}

TEST(DataProblem, TakesAPassOfBatchesThatAverageToTheFullGradient) {
  const auto problem = softmax_problem({.regularisers = {.l2 = 0.3}});
  const Vector<double> x = random_vector<double>(3, dim);
  for (NodeId i = 0; i < 3; ++i) {
    const auto count = static_cast<int>(problem.samples(i));
    const int batches = (count + 7) / 8;
    for (const Round pass : {0, 1, 4}) {
      Vector<double> sum = Vector<double>::Zero(dim);
      Vector<double> g(dim);
      for (int b = 0; b < batches; ++b) {
        problem.gradient(i, x, {.seed = 5, .node = i, .round = pass * batches + b}, g);
        sum += std::min(8, count - 8 * b) * g;
      }
      Vector<double> full(dim);
      problem.full_gradient(i, x, {}, full);
      EXPECT_LT((sum / count - full).norm(), 1e-13) << "node " << i << ", pass " << pass;
    }
  }
}

TEST(DataProblem, TakesIndependentBatchesThatAreRightOnAverage) {
  constexpr int draws = 4000;
  const auto problem = softmax_problem({.batch = 4, .sampling = Sampling::iid});
  const Vector<double> x = random_vector<double>(4, dim);
  const NodeId node = 2;
  Vector<double> full(dim);
  problem.full_gradient(node, x, {}, full);
  Vector<double> sum = Vector<double>::Zero(dim);
  Vector<double> squares = Vector<double>::Zero(dim);
  Vector<double> g(dim);
  for (int t = 0; t < draws; ++t) {
    problem.gradient(node, x, {.seed = 6, .node = node, .round = t}, g);
    sum += g - full;
    squares += (g - full).cwiseAbs2();
  }
  for (Index j = 0; j < dim; ++j) {
    const double standard_error = std::sqrt(squares[j]) / draws;
    EXPECT_GT(standard_error, 0);
    EXPECT_LT(std::abs(sum[j] / draws), 5 * standard_error) << "coordinate " << j;
  }
}

TEST(DataProblem, MeasuresLossAndAccuracyOfAllTestSamples) {
  const auto problem = softmax_problem({.regularisers = {.l2 = 0.3}});
  const auto data = tiny_data();
  const Vector<double> x = random_vector<double>(5, dim);
  double loss = 0;
  int correct = 0;
  for (const SampleId s : all_samples(*data->test)) {
    int best = 0;
    loss += loss_of(*data->test, s, x, &best);
    correct += best == data->test->labels[s] ? 1 : 0;
  }
  const auto samples = static_cast<double>(data->test->samples());
  ASSERT_EQ(problem.tests(), Tests::common);
  const Tally found = problem.test(0, x);
  EXPECT_NEAR(found.mean_loss(), loss / samples, 1e-12) << "the test loss has no regularisers";
  EXPECT_EQ(found.accuracy(), correct / samples);
  EXPECT_GT(correct, 0);
}

TEST(DataProblem, HasNoTestFiguresWithoutTestSamples) {
  auto data = std::make_shared<LabelledData>();
  data->train = tiny_images(2, 3, train_samples, classes);
  EXPECT_EQ(softmax_problem({.data = data}).tests(), Tests::none);
}

// 1353 test samples are three pieces, the last of them short.
TEST(DataProblem, ScoresTheSameBitsOnAnyNumberOfThreads) {
  const auto problem = softmax_problem();
  const Vector<double> x = random_vector<double>(6, dim);
  const auto figures = [&](std::size_t threads) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    const Tally test = problem.test(0, x);
    return std::array{test.loss, test.correct, problem.loss(2, x)};
  };
  const auto expected = figures(1);
  for (const std::size_t threads : {2, 3}) {
    for (int repetition = 0; repetition < 20; ++repetition) EXPECT_EQ(figures(threads), expected);
  }
}

// Nodes of 5, 20 and 28 samples.
DataProblem<double> problem_of(const std::shared_ptr<const NodeSamples>& samples) {
  const auto data = tiny_data();
  return {data,
          std::make_shared<Softmax<double>>(data->train),
          samples,
          Batches(8, Sampling::shuffle, 1),
          {.l2 = 0.3}};
}

TEST(DataProblem, WeighsNodesByTheirSamples) {
  const auto samples = std::make_shared<NodeSamples>(three_nodes());
  samples->weigh_by_samples();
  const auto weighted = problem_of(samples);
  const auto alike = softmax_problem({.regularisers = {.l2 = 0.3}});
  const auto data = tiny_data();
  const Vector<double> x = random_vector<double>(8, dim);
  double mean_of_all = 0;
  for (SampleId s = 0; s < train_samples; ++s) mean_of_all += loss_of(data->train, s, x);
  mean_of_all /= train_samples;
  double f = 0;
  Vector<double> gradient = Vector<double>::Zero(dim);
  Vector<double> pooled(dim);
  Vector<double> g(dim);
  for (NodeId i = 0; i < 3; ++i) {
    f += weighted.loss(i, x) / 3;
    weighted.full_gradient(i, x, Draw{}, g);
    gradient += g / 3;
    // A batch has the weight of its node too.
    Vector<double> batch(dim);
    Vector<double> plain(dim);
    weighted.gradient(i, x, Draw{.node = i}, batch);
    alike.gradient(i, x, Draw{.node = i}, plain);
    const double weight = 3.0 * static_cast<double>(three_nodes()[i].size()) / train_samples;
    const Vector<double> expected = weight * (plain - 0.3 * x) + 0.3 * x;
    EXPECT_LT((batch - expected).norm(), 1e-12);
  }
  EXPECT_NEAR(f, mean_of_all + weighted.penalty(x), 1e-12) << "f is the mean over all samples";
  std::vector<SampleId> everyone(train_samples);
  std::iota(everyone.begin(), everyone.end(), 0);
  Softmax<double>(data->train).gradient(data->train, everyone, x, nullptr, pooled);
  EXPECT_LT((gradient - pooled - 0.3 * x).norm(), 1e-12);
}

TEST(DataProblem, TestsEveryNodeOnSamplesOfItsOwn) {
  const auto samples = std::make_shared<NodeSamples>(three_nodes());
  samples->tests = {{0, 1}, {2}, {3, 4, 5}};
  const auto problem = problem_of(samples);
  const auto data = tiny_data();
  const Vector<double> x = random_vector<double>(9, dim);
  ASSERT_EQ(problem.tests(), Tests::own);
  for (NodeId i = 0; i < 3; ++i) {
    double loss = 0;
    for (const SampleId s : samples->tests[static_cast<std::size_t>(i)]) {
      loss += loss_of(*data->test, s, x);
    }
    EXPECT_NEAR(problem.test(i, x).loss, loss, 1e-12);
  }
  EXPECT_EQ(problem.test(2, x).samples, 3);
}

TEST(DataProblem, ValidatesOnWhatItDoesNotTrainOn) {
  const auto samples = std::make_shared<NodeSamples>(three_nodes());
  samples->hold_out(0.25, 7);
  const auto problem = problem_of(samples);
  const auto data = tiny_data();
  const Vector<double> x = random_vector<double>(10, dim);
  for (NodeId i = 0; i < 3; ++i) {
    const auto& held_out = samples->held_out[static_cast<std::size_t>(i)];
    double loss = 0;
    for (const SampleId s : held_out) loss += loss_of(data->train, s, x);
    EXPECT_NEAR(problem.validate(i, x).loss, loss, 1e-12);
  }
}

TEST(DataProblem, CountsPassesByWholeBatchesOnAverageOverNodes) {
  // 5, 20 and 28 samples in batches of 8: passes of 1, 3 and 4.
  const auto problem = softmax_problem();
  EXPECT_EQ(problem.passes(0), 0);
  EXPECT_DOUBLE_EQ(problem.passes(12), (12 + 4 + 3) / 3.0);
  // A batch larger than a node's samples takes all of them: one step is one pass.
  EXPECT_DOUBLE_EQ(softmax_problem({.batch = 1000}).passes(7), 7);
  EXPECT_DOUBLE_EQ(softmax_problem({.batch = 1}).passes(140), (28 + 7 + 5) / 3.0);
}

TEST(DataProblem, StartsAllNodesFromOneModelOfTheSeed) {
  auto data = std::make_shared<LabelledData>();
  data->train = tiny_images(28, 28, 4, 10);
  const auto start = [&](NodeId node, std::uint64_t seed) {
    const DataProblem<float> problem(data, std::make_unique<Cnn>(data->train), {{0, 1}, {2, 3}},
                                     Batches(2, Sampling::shuffle, 1), {.seed = seed});
    Vector<float> x(problem.dim());
    problem.start(node, x);
    return x;
  };
  EXPECT_EQ(start(0, 1), start(1, 1));
  EXPECT_NE(start(0, 1), start(0, 2));
}

// f_i is an expectation over masks: a full gradient draws them, and a loss has none.
TEST(DataProblem, DrawsDropoutInGradientsAndNotInLosses) {
  auto data = std::make_shared<LabelledData>();
  data->train = tiny_images(28, 28, 4, 10);
  const DataProblem<float> problem(data, std::make_unique<Cnn>(data->train), {{0, 1, 2, 3}},
                                   Batches(4, Sampling::shuffle, 1), {});
  Vector<float> x(problem.dim());
  problem.start(0, x);
  const auto full = [&](const Draw& draw) {
    Vector<float> g(problem.dim());
    problem.full_gradient(0, x, draw, g);
    return g;
  };
  EXPECT_EQ(full({.seed = 1, .round = 2}), full({.seed = 1, .round = 2}));
  EXPECT_NE(full({.seed = 1, .round = 2}), full({.seed = 1, .round = 3}));
  const Score score = Cnn(data->train).score(data->train, all_samples(data->train), x);
  EXPECT_DOUBLE_EQ(problem.loss(0, x), score.loss / 4);
}

}  // namespace
}  // namespace driftless::testing
