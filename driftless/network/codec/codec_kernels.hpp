#pragma once

#include <cstdint>

#include "driftless/base/draw.hpp"
#include "driftless/base/kernels.hpp"

// The loops of int3 … int8 and qsgd, compiled for several instruction sets; all give the same bits.
// A code is a small integer in a byte of its own.
namespace driftless::codec {

// The largest |v_j|; 0 for no numbers.
template <class Real>
Real greatest_magnitude(const Real* v, Index count);

// codes_j = rint(v_j scale), halves to even, cut to ±limit; as a byte's lowest bits under `mask`.
template <class Real>
void round_to_codes(const Real* v, Index count, kernel::Scalar<Real> scale, int limit, int mask,
                    std::uint8_t* codes);

// to_j += ((codes_j ^ flipped) − zero) unit, where the product is cut to what is finite.
template <class Real>
void add_codes(const std::uint8_t* codes, Index count, int flipped, int zero,
               kernel::Scalar<Real> unit, Real* to);

// What qsgd compares numbers with: factor |v_j| / divisor is |v_j| / |v|_2.
struct NormRatio {
  double factor;
  double divisor;
};

// codes_j = levels + sgn(v_j) floor(levels |v_j| / |v|_2 + u), cut to 0 … 2 levels. u is word
// `first` + j of the draw / 2^32; `first` is a multiple of 64. In double whatever Real is, since a
// word has 32 bits.
template <class Real>
void choose_levels(const Real* v, Index count, const NormRatio& ratio, int levels, const Draw& draw,
                   Index first, std::uint8_t* codes);

}  // namespace driftless::codec
