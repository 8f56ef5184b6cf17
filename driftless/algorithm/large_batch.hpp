#pragma once

#include "driftless/algorithm/algorithm.hpp"

namespace driftless {

// g ← Σ_k ∇F_i(x; ξ^{(t)+k}) over K independent samples. The sum, not the mean: one step of it is
// as long as K local steps, so that methods compare at equal rates. `one` is room for a single
// gradient.
template <class Real>
void sum_of_gradients(const Problem<Real>& problem, Draw draw, Step K,
                      const ConstVectorView<Real>& x, Eigen::Map<Vector<Real>> one,
                      Eigen::Map<Vector<Real>> g) {
  g.setZero();
  for (draw.step = 0; draw.step < K; ++draw.step) {
    problem.gradient(draw.node, x, draw, one);
    g += one;
  }
}

}  // namespace driftless
