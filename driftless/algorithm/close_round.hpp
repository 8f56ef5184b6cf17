#pragma once

#include "driftless/base/kernels.hpp"

namespace driftless::kernel {

// z = per_step * (x - y), c -= z, x -= rate * z: the end of a round of K-GT in one pass, by the
// rules of base/kernels.hpp. No two of the vectors may overlap.
template <class Real>
void close_round(Real* x, const Real* y, Real* c, Real* z, Scalar<Real> per_step, Scalar<Real> rate,
                 Index d);

}  // namespace driftless::kernel
