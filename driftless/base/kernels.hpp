#pragma once

#include <type_traits>

#include "driftless/base/types.hpp"

// The loops that local steps, the end of a round and a mix are made of, for the vector instructions
// of the machine they run on. Every element goes through the same IEEE operations in the same order
// whatever the vector width, and nothing is fused, so every machine gives the same bits. `Real` is
// float or double. Pointers need no alignment.
namespace driftless::kernel {

// A rate converts to the vector's type instead of taking part in deducing it.
template <class Real>
using Scalar = std::type_identity_t<Real>;

// y -= rate * g. `g` may be `y` itself, but may not overlap it partly.
template <class Real>
void descend(Real* y, Scalar<Real> rate, const Real* g, Index d);

// y -= rate * (g + c). `g` and `c` may each be `y` itself, but may not overlap it partly.
template <class Real>
void descend(Real* y, Scalar<Real> rate, const Real* g, const Real* c, Index d);

// out = h * x - q, the gradient of h/2 |x|^2 - <q, x>. `out` may be `x` or `q` itself, but may not
// overlap them partly.
template <class Real>
void scale_minus(Real* out, Scalar<Real> h, const Real* x, const Real* q, Index d);

// y -= rate * (((h * y - q) + noise) + c): a corrected step on h/2 |y|^2 - <q, y>, rounded as
// scale_minus, an addition and descend round it. `noise` may be null: then it is left out.
template <class Real>
void descend_quadratic(Real* y, Scalar<Real> rate, Scalar<Real> h, const Real* q, const Real* noise,
                       const Real* c, Index d);

// z = per_step * (x - y), c -= z, x -= rate * z: the end of a round of K-GT in one pass. No two of
// the vectors may overlap.
template <class Real>
void close_round(Real* x, const Real* y, Real* c, Real* z, Scalar<Real> per_step, Scalar<Real> rate,
                 Index d);

// out = ((w0 * r0 + w1 * r1) + w2 * r2) + ..., in this order for every element. `count` is at least
// 1; `out` may not overlap any row.
template <class Real>
void weighted_sum(Real* out, const Real* const* rows, const Real* weights, Index count, Index d);

// accumulator += row. `row` may be `accumulator` itself, but may not overlap it partly.
template <class Real>
void sum_in_order(Real* accumulator, const Real* row, Index d);

}  // namespace driftless::kernel
