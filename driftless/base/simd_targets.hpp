#pragma once

// The instruction sets that Highway compiles each kernel for; every file of kernels includes this
// first. Vectors of unknown length (SVE, RVV) cannot be kept in arrays. The others that are left
// out have the vectors of a neighbour and nothing that our kernels use: they would only double the
// time to compile.
#define HWY_DISABLED_TARGETS \
  (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
