#pragma once

#include "driftless/base/types.hpp"

// What a problem adds to its loss and to its gradient to keep parameters small.
namespace driftless {

// λ/2 ‖x‖², which makes a convex loss strongly convex.
template <class Real>
double ridge_value(double lambda, const ConstVectorView<Real>& x);
template <class Real>
void add_ridge_gradient(double lambda, const ConstVectorView<Real>& x, VectorView<Real> g);

// λ Σ_j x_j² / (1 + x_j²), which saturates at λ for a large x_j and is not convex.
template <class Real>
double saturating_value(double lambda, const ConstVectorView<Real>& x);
template <class Real>
void add_saturating_gradient(double lambda, const ConstVectorView<Real>& x, VectorView<Real> g);

}  // namespace driftless
