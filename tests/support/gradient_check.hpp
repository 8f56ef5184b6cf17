#pragma once

#include <gtest/gtest.h>

#include "driftless/problem/problem.hpp"

namespace driftless::testing {

// ∇f_i against central differences of f_i. Quadratics have no third derivative, so only rounding is
// left: about 1e-16 f / step.
inline void expect_gradient_of_loss(const Problem<double>& problem, NodeId node,
                                    const Vector<double>& x) {
  constexpr double step = 1e-3;
  Vector<double> gradient(problem.dim());
  problem.full_gradient(node, x, {}, gradient);
  for (Index k = 0; k < problem.dim(); ++k) {
    const Vector<double> move = step * Vector<double>::Unit(problem.dim(), k);
    const Vector<double> ahead = x + move;
    const Vector<double> behind = x - move;
    const double slope = (problem.loss(node, ahead) - problem.loss(node, behind)) / (2 * step);
    EXPECT_NEAR(gradient[k], slope, 1e-10 * (1 + problem.loss(node, x)))
        << "node " << node << ", coordinate " << k;
  }
}

// Mean and total variance of the gradient noise, each within five of its standard errors.
inline void expect_noise(const Problem<double>& problem, NodeId node, double total_variance) {
  constexpr int samples = 4000;
  const Vector<double> x = Vector<double>::Constant(problem.dim(), 0.5);
  Vector<double> exact(problem.dim());
  Vector<double> g(problem.dim());
  problem.full_gradient(node, x, {}, exact);
  Vector<double> sum = Vector<double>::Zero(problem.dim());
  double squares = 0;
  for (int k = 0; k < samples; ++k) {
    problem.gradient(node, x, {.seed = 7, .node = node, .round = k / 10, .step = k % 10}, g);
    sum += g - exact;
    squares += (g - exact).squaredNorm();
  }
  const double d = static_cast<double>(problem.dim());
  // ‖noise‖² is σ²/d times a χ² of d degrees: variance 2σ⁴/d.
  EXPECT_NEAR(squares / samples, total_variance, 5 * total_variance * std::sqrt(2 / d / samples));
  EXPECT_LT((sum / samples).cwiseAbs().maxCoeff(), 5 * std::sqrt(total_variance / d / samples));
}

}  // namespace driftless::testing
