#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "driftless/base/error.hpp"
#include "driftless/base/types.hpp"

// What top_k and rand_k have in common: of d numbers they keep k, and send these whole.
namespace driftless::codec {

// ceil(keep d). The product may be rounded up past an integer, as 0.07 * 100 is: that is undone.
inline Index kept_of(double keep, Index d) {
  return static_cast<Index>(std::ceil(keep * static_cast<double>(d) * (1 - 0x1p-50)));
}

// Numbers that are not finite go as 0.
template <class Real>
void write_kept(const Real* v, const std::vector<std::uint32_t>& kept, std::byte* out) {
  for (const std::uint32_t j : kept) {
    const Real value = std::isfinite(v[j]) ? v[j] : Real{0};
    std::memcpy(out, &value, sizeof value);
    out += sizeof value;
  }
}

template <class Real>
void add_kept(const std::byte* in, const std::vector<std::uint32_t>& kept, Real* to) {
  for (const std::uint32_t j : kept) {
    Real value = 0;
    std::memcpy(&value, in, sizeof value);
    in += sizeof value;
    if (!std::isfinite(value)) throw DataError("a letter: number {} is {}", j, value);
    to[j] += value;
  }
}

}  // namespace driftless::codec
