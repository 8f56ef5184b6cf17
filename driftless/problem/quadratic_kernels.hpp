#pragma once

#include "driftless/base/kernels.hpp"

// The loops of a problem h/2 |x|^2 - <q, x>, by the rules of base/kernels.hpp.
namespace driftless::kernel {

// out = h * x - q, the gradient of h/2 |x|^2 - <q, x>. `out` may be `x` or `q` itself, but may not
// overlap them partly.
template <class Real>
void scale_minus(Real* out, Scalar<Real> h, const Real* x, const Real* q, Index d);

// y -= rate * (((h * y - q) + noise) + c): a corrected step on h/2 |y|^2 - <q, y>, rounded as
// scale_minus, an addition and descend round it. `noise` may be null: then it is left out.
template <class Real>
void descend_quadratic(Real* y, Scalar<Real> rate, Scalar<Real> h, const Real* q, const Real* noise,
                       const Real* c, Index d);

}  // namespace driftless::kernel
