#include "driftless/experiment/setup.hpp"

#include <gtest/gtest.h>

#include "driftless/problem/data_problem.hpp"
#include "tests/support/learning_data.hpp"

namespace driftless::testing {
namespace {

// One of several processes, alone in a test. What the others would say of numbers, this one makes
// up: each has as many as it has itself.
class OneOfMany final : public Processes {
 public:
  OneOfMany(int rank, int count) {
    rank_ = rank;
    count_ = count;
  }
  std::vector<std::string> gather(std::string own) const override {
    return std::vector<std::string>(static_cast<std::size_t>(count_), own);
  }
};

std::size_t pixels_of(const Problem<float>& problem) {
  return dynamic_cast<const DataProblem<float>&>(problem).data().train.images()->pixels.size();
}

// Every rank holds what its own nodes need and no more: their gradients are those of a process that
// holds everything, and all ranks together hold every sample once.
TEST(Setup, OfARankKeepsTheSamplesOfItsNodesAlone) {
  const TemporaryFolder folder;
  write_bars(folder, 50, 5, 28);
  const ExperimentPlan plan = plan_experiment(
      "[problem]\nkind = 'cnn'\ndata = 'bars'\nbatch = 4\n[network]\nnodes = 5\n"
      "[algorithm]\nkind = 'k-gt'\nlocal_rate = 0.1\n[run]\nrounds = 1\n",
      "setup.toml", folder.path());
  const ExperimentConfig& config = plan.runs().front()->config;
  const driftless::Setup whole(plan);
  const auto all = std::get<std::unique_ptr<Problem<float>>>(whole.problem(config));
  Vector<float> x(all->dim());
  all->start(0, x);
  std::size_t pixels = 0;
  for (int rank = 0; rank < 2; ++rank) {
    const driftless::Setup part(plan, OneOfMany(rank, 2));
    const auto own = std::get<std::unique_ptr<Problem<float>>>(part.problem(config));
    const NodeRange mine = Hosting{5, 2}.of(rank);
    for (NodeId i = mine.first; i < mine.last; ++i) {
      Vector<float> expected(x.size());
      Vector<float> found(x.size());
      all->full_gradient(i, x, Draw{.node = i}, expected);
      own->full_gradient(i, x, Draw{.node = i}, found);
      EXPECT_EQ(found, expected) << "node " << i;
    }
    const std::size_t kept = pixels_of(*own);
    EXPECT_EQ(kept, static_cast<std::size_t>(mine.size()) * 10 * 28 * 28);
    pixels += kept;
  }
  EXPECT_EQ(pixels, pixels_of(*all));
}

TEST(Setup, OfARankSolvesAProblemFileAndKeepsTheRowsOfItsNodes) {
  const TemporaryFolder folder;
  folder.write("problem.json",
               R"({"A": [[[1, 2], [0, 1]], [[3, 0], [1, 1]], [[0, 4], [2, 1]]],
                   "b": [[1, 2], [3, 4], [5, 6]]})");
  const ExperimentPlan plan = plan_experiment(
      "[problem]\nfile = 'problem.json'\n[algorithm]\nkind = 'k-gt'\nlocal_rate = 0.1\n"
      "[run]\nrounds = 1\n",
      "setup.toml", folder.path());
  const ExperimentConfig& config = plan.runs().front()->config;
  const driftless::Setup whole(plan);
  const auto all = std::get<std::unique_ptr<Problem<double>>>(whole.problem(config));
  const Vector<double> x{{0.3, -0.7}};
  for (int rank = 0; rank < 3; ++rank) {
    const driftless::Setup part(plan, OneOfMany(rank, 3));
    const auto own = std::get<std::unique_ptr<Problem<double>>>(part.problem(config));
    EXPECT_EQ(own->nodes(), 3);
    EXPECT_EQ(own->optimum()->point, all->optimum()->point);
    EXPECT_EQ(own->optimum()->value, all->optimum()->value);
    EXPECT_EQ(own->smoothness(), all->smoothness());
    for (NodeId i = 0; i < 3; ++i) {
      // A node whose rows are elsewhere has no loss here.
      EXPECT_EQ(own->loss(i, x), i == rank ? all->loss(i, x) : 0) << "node " << i;
    }
  }
}

}  // namespace
}  // namespace driftless::testing
