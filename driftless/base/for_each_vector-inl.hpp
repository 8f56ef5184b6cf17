// The loop that kernels of one pass over vectors are made of. Compiled once for each instruction
// set: a file of kernels includes this after <hwy/foreach_target.h>.

#if defined(DRIFTLESS_FOR_EACH_VECTOR_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef DRIFTLESS_FOR_EACH_VECTOR_INL_HPP
#undef DRIFTLESS_FOR_EACH_VECTOR_INL_HPP
#else
#define DRIFTLESS_FOR_EACH_VECTOR_INL_HPP
#endif

#include <hwy/highway.h>

#include "driftless/base/types.hpp"

HWY_BEFORE_NAMESPACE();
namespace driftless::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Calls body(tag, j) for consecutive pieces of 0 … d−1: whole vectors, then single elements. The
// operations are those of one element either way, so the cut does not show in the bits.
template <class Real, class Body>
HWY_INLINE void for_each_vector(Index d, const Body& body) {
  const hn::ScalableTag<Real> whole;
  const hn::CappedTag<Real, 1> single;
  const Index lanes = static_cast<Index>(hn::Lanes(whole));
  Index j = 0;
  for (; j + 4 * lanes <= d; j += 4 * lanes) {
    body(whole, j);
    body(whole, j + lanes);
    body(whole, j + 2 * lanes);
    body(whole, j + 3 * lanes);
  }
  for (; j + lanes <= d; j += lanes) body(whole, j);
  for (; j < d; ++j) body(single, j);
}

}  // namespace driftless::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
