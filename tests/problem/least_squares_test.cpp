#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Dense>

#include "tests/support/golden.hpp"
#include "tests/support/gradient_check.hpp"
#include "tests/support/instance.hpp"

namespace driftless::testing {
namespace {

Instance shaped(Index rows, Index dim) {
  Instance instance;
  instance.nodes = 4;
  instance.rows = rows;
  instance.dim = dim;
  instance.noise = 2;
  instance.distinct_starts = true;
  return instance;
}

TEST(LeastSquares, FindsTheGoldenOptima) {
  for (const auto& [name, data] : golden().problems) {
    const auto problem = make_least_squares<double>(data, 0);
    const Optimum& expected = golden().optima.at(name);
    EXPECT_LT((problem->optimum()->point - expected.point).cwiseAbs().maxCoeff(), 1e-12) << name;
    EXPECT_NEAR(problem->optimum()->value, expected.value, 1e-12) << name;
  }
}

TEST(LeastSquares, GivesTheGradientOfItsLossForTallAndWideMatrices) {
  for (const auto& [rows, dim] : {std::pair<Index, Index>{9, 2}, {2, 6}, {1, 1}, {5, 5}}) {
    const auto problem = shaped(rows, dim).problem();
    for (NodeId i = 0; i < 4; ++i) {
      expect_gradient_of_loss(*problem, i, Vector<double>::LinSpaced(dim, -1, 2));
    }
  }
}

RC_GTEST_PROP(LeastSquares, HasNoSlopeAtItsOptimum, (const Instance& instance)) {
  const auto problem = instance.problem();
  Vector<double> sum = Vector<double>::Zero(instance.dim);
  Vector<double> g(instance.dim);
  double loss = 0;
  for (NodeId i = 0; i < instance.nodes; ++i) {
    problem->full_gradient(i, problem->optimum()->point, {}, g);
    sum += g;
    loss += problem->loss(i, problem->optimum()->point) / instance.nodes;
  }
  RC_ASSERT(sum.cwiseAbs().maxCoeff() <
            1e-12 * instance.nodes * (1 + problem->optimum()->point.norm()));
  RC_ASSERT(std::abs(loss - problem->optimum()->value) < 1e-12 * (1 + loss));
}

// Fewer equations than unknowns: of all minimisers, the one without a part that no A_i sees.
TEST(LeastSquares, ChoosesTheMinimiserOfLeastNorm) {
  LeastSquaresData data;
  data.A.emplace_back(LeastSquaresData::Matrix{{1, 1, 0}});
  data.b.emplace_back(Vector<double>::Constant(1, 2));
  const auto problem = make_least_squares<double>(data, 0);
  EXPECT_LT((problem->optimum()->point - Eigen::Vector3d(1, 1, 0)).norm(), 1e-14);
}

RC_GTEST_PROP(LeastSquares, KnowsItsLargestCurvature, (const Instance& instance)) {
  double largest = 0;
  for (const auto& A : instance.data().A) {
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(A);
    largest = std::max(largest, std::pow(svd.singularValues()[0], 2));
  }
  RC_ASSERT(std::abs(*instance.problem()->smoothness() - largest) < 1e-12 * largest);
}

RC_GTEST_PROP(LeastSquares, MeasuresSuboptimalityAsTheLossAboveTheOptimum,
              (const Instance& instance)) {
  const auto problem = instance.problem();
  const Vector<double> x = Vector<double>::LinSpaced(instance.dim, -1, 2);
  double loss = 0;
  double suboptimality = 0;
  for (NodeId i = 0; i < instance.nodes; ++i) {
    loss += problem->loss(i, x) / instance.nodes;
    suboptimality += problem->suboptimality(i, x, *problem->optimum()) / instance.nodes;
  }
  // With nearly dependent equations the optimum is far away and known to fewer digits.
  const double scale = 1 + loss + problem->optimum()->point.squaredNorm();
  RC_ASSERT(std::abs(suboptimality - (loss - problem->optimum()->value)) < 1e-12 * scale);
}

TEST(LeastSquares, AddsNoiseOfTheGivenTotalVariance) {
  const auto problem = shaped(3, 6).problem();
  for (NodeId i = 0; i < 4; ++i) expect_noise(*problem, i, 2.0);
}

TEST(LeastSquares, StartsWhereItsDataSay) {
  const Instance instance = shaped(3, 2);
  Vector<double> x(2);
  const auto distinct = instance.problem();
  for (NodeId i = 0; i < 4; ++i) {
    distinct->start(i, x);
    EXPECT_EQ(x, instance.data().x0[static_cast<std::size_t>(i)]);
  }
  LeastSquaresData data = instance.data();
  data.x0.resize(1);
  make_least_squares<double>(data, 0)->start(3, x);
  EXPECT_EQ(x, data.x0[0]);
  data.x0.clear();
  make_least_squares<double>(data, 0)->start(3, x);
  EXPECT_EQ(x, Vector<double>::Ones(2));
}

}  // namespace
}  // namespace driftless::testing
