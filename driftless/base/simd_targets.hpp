#pragma once

// The instruction sets that Highway compiles each kernel for; every file of kernels includes this
// first. Vectors of unknown length (SVE, RVV) cannot be kept in arrays. The other sets that are
// left out would only double the time to compile: their vectors are as wide as those of a set that
// stays, and our kernels use none of their further instructions.
#define HWY_DISABLED_TARGETS \
  (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)

// Highway's dispatch tables want plain names: this gives them to a kernel for float and double. It
// stands in the namespace of the instruction set, dispatch.hpp has the other half.
// NOLINTBEGIN(bugprone-macro-parentheses): a name takes none
#define DRIFTLESS_NAME(kernel)                           \
  static constexpr auto& kernel##_float = kernel<float>; \
  static constexpr auto& kernel##_double = kernel<double>
// NOLINTEND(bugprone-macro-parentheses)
