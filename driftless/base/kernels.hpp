#pragma once

#include <type_traits>

#include "driftless/base/types.hpp"

// The loops that a local step and a mix are made of, for the vector instructions of the machine
// they run on. Every element goes through the same IEEE operations in the same order whatever the
// vector width, and nothing is fused, so every machine gives the same bits. `Real` is float or
// double. Pointers need no alignment.
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

// out = ((w0 * r0 + w1 * r1) + w2 * r2) + ..., in this order for every element. `count` is at least
// 1; `out` may not overlap any row.
template <class Real>
void weighted_sum(Real* out, const Real* const* rows, const Real* weights, Index count, Index d);

// accumulator += row. `row` may be `accumulator` itself, but may not overlap it partly.
template <class Real>
void sum_in_order(Real* accumulator, const Real* row, Index d);

}  // namespace driftless::kernel
