// Learning from samples as a whole: config file, data files, setup, runs.
#include <gtest/gtest.h>

#include <bit>

#include "tests/problem/nn/tiny_data.hpp"
#include "tests/support/executed.hpp"
#include "tests/support/learning_data.hpp"

namespace driftless::testing {
namespace {

struct Learnt {
  std::vector<Metrics> rows;
  std::vector<double> models;
  Outcome outcome = Outcome::finished;
};

class Keeper final : public RunObserver {
 public:
  explicit Keeper(Learnt& learnt) : learnt_(learnt) {}
  void evaluated(const Metrics& row) override { learnt_.rows.push_back(row); }
  void ended(const RunEnd& end) override {
    std::visit([&](const auto& numbers) { learnt_.models.assign(numbers.begin(), numbers.end()); },
               end.models);
    learnt_.outcome = end.result.outcome;
  }

 private:
  Learnt& learnt_;
};

// FNV-1a over the bits of all models and of all figures but the time.
std::uint64_t hash_of(const Learnt& learnt) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&](double value) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(value)) * 0x100000001b3;
  };
  for (const double x : learnt.models) add(x);
  for (const Metrics& row : learnt.rows) {
    for (const double figure :
         {row.loss, row.consensus, row.grad_norm2.value_or(-1), row.heterogeneity.value_or(-1),
          row.correction_error.value_or(-1), row.train_loss.value_or(-1),
          row.test_loss.value_or(-1), row.test_accuracy.value_or(-1),
          row.worst_node_accuracy.value_or(-1), row.drift.value_or(-1)}) {
      add(figure);
    }
  }
  return hash;
}

double apart(const Learnt& a, const Learnt& b) {
  EXPECT_EQ(a.models.size(), b.models.size());
  double most = 0;
  for (std::size_t k = 0; k < a.models.size(); ++k) {
    most = std::max(most, std::abs(a.models[k] - b.models[k]));
  }
  return most;
}

class LearningRun : public ::testing::Test {
 protected:
  LearningRun() {
    write_bars(folder_, 60);
    write_bars(folder_, 60, 10, 8, "small");
    write_points(folder_, 200);
  }

  static std::string config(const std::string& problem, const std::string& method, int rounds) {
    return "[problem]\n" + problem + "[network]\nnodes = 5\n[algorithm]\n" + method +
           "[run]\nrounds = " + std::to_string(rounds) + "\n";
  }

  // The runs of one config file, in their order.
  std::vector<Learnt> learn(const std::string& toml, int threads = 2) const {
    const ExperimentPlan plan = load_experiment(folder_.write("learn.toml", toml));
    std::vector<Learnt> learnt(plan.runs().size());
    execute_plan(plan, threads, [&](std::size_t k) { return std::make_unique<Keeper>(learnt[k]); });
    return learnt;
  }

  // Largest difference of two methods' models after five rounds.
  double methods_apart(const std::string& problem, const std::string& kinds) const {
    const auto both = learn(config(problem, "kind = 'k-gt'\nlocal_rate = 0.05\n", 5) +
                            "[sweep]\nalgorithm.kind = [" + kinds + "]\n");
    return apart(both.at(0), both.at(1));
  }

  const TemporaryFolder folder_;
};

const std::string cnn = "kind = 'cnn'\ndata = 'bars'\nbatch = 4\n";
const std::string mlp = "kind = 'mlp'\ndata = 'bars'\nbatch = 4\nhidden = '20 10'\n";
const std::string softmax = "kind = 'softmax'\ndata = 'bars'\nbatch = 4\nl2 = 0.01\n";
const std::string logistic =
    "kind = 'logistic'\ndata = 'points.svm'\ntest_data = 'points.svm'\nbatch = 7\nnonconvex = "
    "0.1\n";

TEST_F(LearningRun, KGtOfOneStepIsGradientTracking) {
  EXPECT_LT(methods_apart(cnn, "'k-gt', 'gt'"), 1e-4);
  EXPECT_LT(methods_apart(softmax, "'k-gt', 'gt'"), 1e-10);
  // ... and not because nothing moves.
  EXPECT_GT(methods_apart(cnn, "'k-gt', 'd-sgd'"), 1e-3);
  EXPECT_GT(methods_apart(softmax, "'k-gt', 'd-sgd'"), 1e-3);
}

TEST_F(LearningRun, GivesTheSameBitsOnAnyNumberOfThreads) {
  for (const std::string& problem : {cnn, mlp, softmax, logistic}) {
    const std::string toml =
        config(problem, "kind = 'k-gt'\nlocal_steps = 3\nlocal_rate = 0.05\n", 4) +
        "evaluate_every = 2\ngradient_metrics = true\ndrift = true\n";
    const std::uint64_t expected = hash_of(learn(toml, 1).front());
    for (const int threads : {2, 3, 8}) {
      EXPECT_EQ(hash_of(learn(toml, threads).front()), expected) << threads << " threads\n"
                                                                 << problem;
    }
    EXPECT_NE(hash_of(learn(toml + "seed = 2\n").front()), expected) << "the hash is blind";
  }
}

TEST_F(LearningRun, LearnsWhatIsEasy) {
  const auto learnt =
      learn(config(cnn + "split = 'random'\n", "kind = 'd-sgd'\nlocal_rate = 0.05\n", 60) +
            "evaluate_every = 60\n")
          .front();
  EXPECT_LT(*learnt.rows.front().test_accuracy, 0.5);
  EXPECT_GT(*learnt.rows.back().test_accuracy, 0.9);
  EXPECT_LT(*learnt.rows.back().train_loss, 0.5);
}

// Every node has classes of its own; full batches, so that nothing but the drift is left.
TEST_F(LearningRun, KGtBeatsDSgdOnSortedData) {
  const auto both =
      learn(config("kind = 'softmax'\ndata = 'small'\nbatch = 1000\nl2 = 0.1\nsplit = 'sorted'\n",
                   "kind = 'k-gt'\nlocal_rate = 0.02\nlocal_steps = 10\n", 300) +
            "evaluate_every = 300\ngradient_metrics = true\n[sweep]\nalgorithm.kind = ['k-gt', "
            "'d-sgd']\n");
  const double k_gt = *both[0].rows.back().grad_norm2;
  const double d_sgd = *both[1].rows.back().grad_norm2;
  EXPECT_LT(k_gt, 1e-3 * d_sgd);
  EXPECT_LT(both[0].rows.back().loss, both[1].rows.back().loss);
}

TEST_F(LearningRun, IsToldWhenItDiverges) {
  for (const std::string& problem : {cnn, mlp, softmax}) {
    const auto learnt = learn(config(problem, "kind = 'd-sgd'\nlocal_rate = 1e30\n", 30)).front();
    EXPECT_EQ(learnt.outcome, Outcome::diverged) << problem;
  }
}

// Every run of a sweep has the same data, and so has every node of a run: what is held does not
// grow with either.
TEST_F(LearningRun, SharesItsDataBetweenRunsAndNodes) {
  const auto kind = find_problem_kind("softmax");
  const std::unique_ptr<ProblemSource> source = kind->open();
  std::vector<ProblemRequest> requests;
  for (const char* model : {"softmax", "cnn", "mlp"}) {
    requests.push_back({.kind = model,
                        .options = {{"data", (folder_ / "bars").string()}},
                        .nodes = 60,
                        .hosted = {0, 60}});
  }
  source->load(requests, {});
  source->exchange(Processes(), {});
  folder_.remove("bars");
  for (const ProblemRequest& request : requests) {
    std::visit([](const auto& problem) { EXPECT_EQ(problem->nodes(), 60); }, source->make(request));
  }
}

}  // namespace
}  // namespace driftless::testing
