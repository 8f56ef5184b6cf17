#include "driftless/problem/minimise.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <cmath>
#include <limits>
#include <vector>

#include "driftless/base/random.hpp"

namespace driftless::testing {
namespace {

Eigen::MatrixXd random_matrix(std::uint64_t seed, Index rows, Index columns) {
  Eigen::MatrixXd matrix(rows, columns);
  for (Index i = 0; i < matrix.size(); ++i) {
    matrix.data()[i] =
        2 * uniform(Draw{.seed = seed}, Purpose::problem_data, static_cast<std::uint64_t>(i)) - 1;
  }
  return matrix;
}

// Columns that are scaled from 1 down to 1e-3 and turned: their squares have the condition 1e6.
Eigen::MatrixXd ill_conditioned(std::uint64_t seed, Index rows, Index columns) {
  Eigen::MatrixXd matrix = random_matrix(seed, rows, columns);
  for (Index j = 0; j < columns; ++j) {
    matrix.col(j) *= std::pow(10, -3.0 * static_cast<double>(j) / static_cast<double>(columns - 1));
  }
  const Eigen::MatrixXd turn =
      random_matrix(seed + 1, columns, columns).householderQr().householderQ();
  return matrix * turn;
}

// A minimisation that counts its evaluations.
struct Found {
  Minimum minimum;
  int evaluations = 0;
  double first_norm = 0;
};
template <class F>
Found found_minimum(const F& f, const Vector<double>& start, const MinimiseOptions& options = {}) {
  Found found;
  const auto counted = [&](const Vector<double>& x, Vector<double>& g) {
    const double value = f(x, g);
    if (found.evaluations++ == 0) found.first_norm = g.norm();
    return value;
  };
  found.minimum = minimise(counted, start, options);
  return found;
}

// The mean logistic loss of the rows, which carry the sign of their class, with l2.
struct LogisticLoss {
  Eigen::MatrixXd rows;
  double l2;

  double operator()(const Vector<double>& x, Vector<double>& g) const {
    const Vector<double> margins = rows * x;
    const auto count = static_cast<double>(rows.rows());
    double sum = 0;
    Vector<double> shares(margins.size());
    for (Index i = 0; i < margins.size(); ++i) {
      sum += std::max(0.0, -margins[i]) + std::log1p(std::exp(-std::abs(margins[i])));
      shares[i] = -1 / (1 + std::exp(margins[i]));
    }
    g = rows.transpose() * shares / count + l2 * x;
    return sum / count + l2 / 2 * x.squaredNorm();
  }

  // Newton's method with the Hessian written out. From zero it needs no line search here.
  Vector<double> by_newton() const {
    Vector<double> x = Vector<double>::Zero(rows.cols());
    Vector<double> g(x.size());
    for (int k = 0; k < 30; ++k) {
      (*this)(x, g);
      const Vector<double> p = (1 + (rows * x).array().exp()).inverse();
      Eigen::MatrixXd hessian = rows.transpose() *
                                (p.array() * (1 - p.array())).matrix().asDiagonal() * rows /
                                static_cast<double>(rows.rows());
      hessian.diagonal().array() += l2;
      x -= hessian.ldlt().solve(g);
    }
    return x;
  }
};

TEST(Minimise, FindsTheMinimiserOfAQuadratic) {
  Vector<double> centre(4);
  centre << 1, -2, 3, 0.5;
  Vector<double> curvature(4);
  curvature << 1, 10, 100, 1000;
  const auto f = [&](const Vector<double>& x, Vector<double>& g) {
    g = curvature.cwiseProduct(x - centre);
    return 7 + g.dot(x - centre) / 2;
  };
  const Minimum found = minimise(f, Vector<double>::Zero(4));
  EXPECT_TRUE(found.converged);
  EXPECT_LT((found.point - centre).norm(), 1e-8);
  EXPECT_NEAR(found.value, 7, 1e-14);
  EXPECT_LE(found.gradient_norm, 1e-12 * curvature.cwiseProduct(centre).norm());
}

TEST(Minimise, SolvesLeastSquaresOfCondition1e6AsItsNormalEquations) {
  const Eigen::MatrixXd rows = ill_conditioned(1, 400, 100);
  const Vector<double> targets = random_matrix(3, 400, 1);
  const auto f = [&](const Vector<double>& x, Vector<double>& g) {
    const Vector<double> errors = rows * x - targets;
    g = 2.0 / 400 * (rows.transpose() * errors);
    return errors.squaredNorm() / 400;
  };
  const Found found = found_minimum(f, Vector<double>::Zero(100));
  const Vector<double> expected = rows.householderQr().solve(targets);
  EXPECT_LE(found.minimum.gradient_norm, 1e-10 * found.first_norm);
  EXPECT_LT((found.minimum.point - expected).norm(), 1e-5 * expected.norm());
  EXPECT_LT(found.evaluations, 1000);
}

TEST(Minimise, FindsNewtonsMinimiserOfARegularisedLogisticLoss) {
  const LogisticLoss loss{3 * random_matrix(5, 200, 12), 1e-2};
  const Minimum found = minimise(loss, Vector<double>::Zero(12), {.tolerance = 1e-14});
  EXPECT_LT((found.point - loss.by_newton()).norm(), 1e-12);
}

// A line search that trusts the values alone ends here with a larger gradient.
TEST(Minimise, GoesOnBySlopesWhereValuesNoLongerChange) {
  const LogisticLoss loss{ill_conditioned(7, 300, 60), 1e-6};
  const Found found = found_minimum(loss, Vector<double>::Zero(60));
  EXPECT_LE(found.minimum.gradient_norm, 1e-10 * found.first_norm);
  EXPECT_TRUE(found.minimum.converged);
  EXPECT_LT(found.evaluations, 1000);
}

// A curved valley that is convex: exp(x + 3y) + exp(x − 3y) + exp(−x) has its minimum at y = 0,
// where 2 exp(x) = exp(−x).
TEST(Minimise, FollowsACurvedConvexValleyFromFarAway) {
  const auto f = [](const Vector<double>& x, Vector<double>& g) {
    const double a = std::exp(x[0] + 3 * x[1]);
    const double b = std::exp(x[0] - 3 * x[1]);
    const double c = std::exp(-x[0]);
    g << a + b - c, 3 * a - 3 * b;
    return a + b + c;
  };
  Vector<double> start(2);
  start << 5, 4;
  const Found found = found_minimum(f, start, {.tolerance = 0});
  EXPECT_NEAR(found.minimum.point[0], -std::log(2) / 2, 1e-14);
  EXPECT_NEAR(found.minimum.point[1], 0, 1e-14);
  EXPECT_NEAR(found.minimum.value, 2 * std::sqrt(2), 1e-14);
}

TEST(Minimise, ComesBackFromWhereTheFunctionIsInfinite) {
  // x − log x, which is infinite below zero. The first step from 0.01 leads to about 1.
  const auto f = [](const Vector<double>& x, Vector<double>& g) {
    if (x[0] <= 0) {
      g[0] = std::numeric_limits<double>::quiet_NaN();
      return std::numeric_limits<double>::infinity();
    }
    g[0] = 1 - 1 / x[0];
    return x[0] - std::log(x[0]);
  };
  for (const double start : {0.01, 50.0}) {
    const Minimum found = minimise(f, Vector<double>::Constant(1, start));
    EXPECT_TRUE(found.converged) << start;
    EXPECT_NEAR(found.point[0], 1, 1e-9);
  }
}

TEST(Minimise, StopsAtTheFloorOfRoundingAndSaysSo) {
  const LogisticLoss loss{random_matrix(5, 300, 150), 1e-3};
  const Found found = found_minimum(loss, Vector<double>::Zero(150), {.tolerance = 0});
  EXPECT_LT(found.minimum.gradient_norm, 1e-15);
  EXPECT_LT(found.minimum.iterations, 2000);
  EXPECT_EQ(found.minimum.converged, found.minimum.gradient_norm == 0);
}

TEST(Minimise, StopsAfterTheMostIterationsAndTellsEach) {
  const LogisticLoss loss{3 * random_matrix(5, 200, 12), 1e-2};
  std::vector<int> told;
  double last = 0;
  const Minimum found = minimise(loss, Vector<double>::Zero(12),
                                 {.most_iterations = 4, .progress = [&](int k, double norm) {
                                    told.push_back(k);
                                    last = norm;
                                  }});
  EXPECT_EQ(told, (std::vector<int>{1, 2, 3, 4}));
  EXPECT_EQ(found.iterations, 4);
  EXPECT_FALSE(found.converged);
  EXPECT_LE(found.gradient_norm, last);
}

TEST(Minimise, GivesTheSameBitsAgain) {
  const LogisticLoss loss{ill_conditioned(9, 100, 30), 1e-5};
  const Minimum first = minimise(loss, Vector<double>::Zero(30));
  const Minimum again = minimise(loss, Vector<double>::Zero(30));
  EXPECT_EQ(first.point, again.point);
  EXPECT_EQ(first.iterations, again.iterations);
}

TEST(Minimise, IsThereAtOnceWhereTheGradientIsZero) {
  const auto f = [](const Vector<double>& x, Vector<double>& g) {
    g = 2 * x;
    return x.squaredNorm();
  };
  for (const Index dim : {0, 3}) {
    const Found found = found_minimum(f, Vector<double>::Zero(dim));
    EXPECT_TRUE(found.minimum.converged);
    EXPECT_EQ(found.minimum.iterations, 0);
    EXPECT_EQ(found.evaluations, 1);
  }
}

}  // namespace
}  // namespace driftless::testing
