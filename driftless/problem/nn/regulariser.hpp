#pragma once

#include "driftless/base/types.hpp"

// What a problem adds to its loss and to its gradient to keep parameters small.
namespace driftless {

// λ/2 ‖x‖², which makes a convex loss strongly convex.
template <class Real>
double ridge_value(double lambda, const ConstVectorView<Real>& x) {
  return lambda / 2 * x.template cast<double>().squaredNorm();
}

template <class Real>
void add_ridge_gradient(double lambda, const ConstVectorView<Real>& x, VectorView<Real> g) {
  g += static_cast<Real>(lambda) * x;
}

// λ Σ_j x_j² / (1 + x_j²), which saturates at λ for a large x_j and is not convex. A huge x has
// x² = ∞, which must not become ∞ / ∞.
template <class Real>
double saturating_value(double lambda, const ConstVectorView<Real>& x) {
  double sum = 0;
  for (const Real coordinate : x) {
    const double square = static_cast<double>(coordinate) * coordinate;
    sum += square < 1 ? square / (1 + square) : 1 / (1 + 1 / square);
  }
  return lambda * sum;
}

template <class Real>
void add_saturating_gradient(double lambda, const ConstVectorView<Real>& x, VectorView<Real> g) {
  for (Index j = 0; j < x.size(); ++j) {
    const double coordinate = x[j];
    const double share = 1 / (1 + coordinate * coordinate);
    g[j] += static_cast<Real>(2 * lambda * coordinate * share * share);
  }
}

}  // namespace driftless
