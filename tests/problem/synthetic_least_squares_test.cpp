#include <gtest/gtest.h>

#include "driftless/problem/least_squares.hpp"
#include "tests/support/gradient_check.hpp"

namespace driftless::testing {
namespace {

constexpr SyntheticOptions example{
    .nodes = 10, .dim = 50, .heterogeneity = 10, .noise = 4, .seed = 2};

double curvature(NodeId i, NodeId nodes) { return (i + 1.0) * (i + 1.0) / nodes; }

// b_i from ∇f_i(0) = −A_iᵀ b_i with A_i = (i/√n) I.
Vector<double> b(const Problem<double>& problem, NodeId i) {
  const Vector<double> zero = Vector<double>::Zero(problem.dim());
  Vector<double> g(problem.dim());
  problem.full_gradient(i, zero, {}, g);
  return -g / std::sqrt(curvature(i, problem.nodes()));
}

TEST(SyntheticLeastSquares, StartsEveryNodeAtOnes) {
  const auto problem = make_synthetic_least_squares<double>(example);
  Vector<double> x(problem->dim());
  for (NodeId i = 0; i < problem->nodes(); ++i) {
    x.setZero();
    problem->start(i, x);
    EXPECT_EQ(x, Vector<double>::Ones(50));
  }
}

// Over many coordinates, within five standard errors √(2/d) of a variance.
TEST(SyntheticLeastSquares, DrawsTheLocalDataWithVarianceZetaOverISquared) {
  SyntheticOptions wide = example;
  wide.dim = 20000;
  const auto problem = make_synthetic_least_squares<double>(wide);
  for (NodeId i = 0; i < problem->nodes(); ++i) {
    const double expected = 10.0 / ((i + 1.0) * (i + 1.0));
    EXPECT_NEAR(b(*problem, i).squaredNorm() / 20000, expected,
                5 * expected * std::sqrt(2.0 / 20000));
  }
}

TEST(SyntheticLeastSquares, DrawsDifferentDataForEachNodeAndSeed) {
  const auto problem = make_synthetic_least_squares<double>(example);
  SyntheticOptions other = example;
  other.seed = 3;
  const auto reseeded = make_synthetic_least_squares<double>(other);
  EXPECT_GT((b(*problem, 0) - 2 * b(*problem, 1)).norm(), 1);
  EXPECT_GT((b(*problem, 0) - b(*reseeded, 0)).norm(), 1);
}

TEST(SyntheticLeastSquares, KnowsItsOptimumAndCurvature) {
  const auto problem = make_synthetic_least_squares<double>(example);
  double sum_h = 0;
  Vector<double> sum_q = Vector<double>::Zero(50);
  double f_at_zero = 0;
  for (NodeId i = 0; i < 10; ++i) {
    const double h = curvature(i, 10);
    sum_h += h;
    sum_q += std::sqrt(h) * b(*problem, i);
    f_at_zero += 0.5 * b(*problem, i).squaredNorm() / 10;
  }
  const Vector<double> x_star = sum_q / sum_h;
  EXPECT_LT((problem->optimum()->point - x_star).norm(), 1e-13);
  // f is a parabola: f* = f(0) − (h̄/2)‖x*‖².
  EXPECT_NEAR(problem->optimum()->value, f_at_zero - 0.5 * sum_h / 10 * x_star.squaredNorm(),
              1e-11);
  EXPECT_DOUBLE_EQ(*problem->smoothness(), 10.0);
}

TEST(SyntheticLeastSquares, HasItsOptimumAtZeroWithoutHeterogeneity) {
  SyntheticOptions equal = example;
  equal.heterogeneity = 0;
  const auto problem = make_synthetic_least_squares<double>(equal);
  EXPECT_EQ(problem->optimum()->point.norm(), 0);
  EXPECT_EQ(problem->optimum()->value, 0);
}

TEST(SyntheticLeastSquares, MeasuresSuboptimalityAsTheLossAboveTheOptimum) {
  const auto problem = make_synthetic_least_squares<double>(example);
  const Vector<double> x = Vector<double>::LinSpaced(50, -1, 2);
  double loss = 0;
  double suboptimality = 0;
  for (NodeId i = 0; i < 10; ++i) {
    loss += problem->loss(i, x) / 10;
    suboptimality += problem->suboptimality(i, x, *problem->optimum()) / 10;
  }
  EXPECT_NEAR(suboptimality, loss - problem->optimum()->value, 1e-11);
}

TEST(SyntheticLeastSquares, GivesTheGradientOfItsLoss) {
  const auto problem = make_synthetic_least_squares<double>(example);
  for (NodeId i = 0; i < 10; ++i) {
    expect_gradient_of_loss(*problem, i, Vector<double>::LinSpaced(50, -1, 2));
  }
}

TEST(SyntheticLeastSquares, AddsNoiseOfTheGivenTotalVariance) {
  const auto problem = make_synthetic_least_squares<double>(example);
  for (const NodeId i : {0, 4, 9}) expect_noise(*problem, i, 4.0);
}

TEST(SyntheticLeastSquares, HasNoNoiseWhenNoneIsAsked) {
  SyntheticOptions exact = example;
  exact.noise = 0;
  const auto problem = make_synthetic_least_squares<double>(exact);
  const Vector<double> x = Vector<double>::Ones(50);
  Vector<double> g(50);
  Vector<double> full(50);
  problem->gradient(3, x, {.seed = 1, .node = 3}, g);
  problem->full_gradient(3, x, {}, full);
  EXPECT_EQ(g, full);
}

TEST(SyntheticLeastSquares, TakesAStepWithTheBitsOfItsParts) {
  for (const double noise : {0.0, 4.0}) {
    SyntheticOptions options = example;
    options.noise = noise;
    const auto problem = make_synthetic_least_squares<double>(options);
    const Vector<double> c = Vector<double>::LinSpaced(50, -1, 1);
    const Draw draw{.seed = 1, .node = 3, .round = 2, .step = 5};
    const double rate = 0.3;
    Vector<double> y = Vector<double>::LinSpaced(50, -2, 3);
    Vector<double> expected = y;
    Vector<double> g(50);
    problem->gradient(3, expected, draw, g);
    expected -= rate * (g + c);
    problem->step(3, y, rate, c, draw, g);
    EXPECT_EQ(y, expected) << "noise " << noise;
  }
}

TEST(SyntheticLeastSquares, AgreesInSinglePrecision) {
  const auto wide = make_synthetic_least_squares<double>(example);
  const auto narrow = make_synthetic_least_squares<float>(example);
  const Vector<double> x = Vector<double>::Ones(50);
  const Vector<float> narrow_x = Vector<float>::Ones(50);
  Vector<double> g(50);
  Vector<float> narrow_g(50);
  for (NodeId i = 0; i < 10; ++i) {
    const Draw draw{.seed = 1, .node = i, .round = 2, .step = 3};
    wide->gradient(i, x, draw, g);
    narrow->gradient(i, narrow_x, draw, narrow_g);
    EXPECT_LT((g - narrow_g.cast<double>()).cwiseAbs().maxCoeff(), 1e-5);
  }
}

}  // namespace
}  // namespace driftless::testing
