#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "driftless/base/error.hpp"
#include "driftless/network/codec/kinds.hpp"

// The upper halves of floats.
namespace driftless::codec {
namespace {

constexpr std::uint32_t bf16_infinity = 0x7F80;

template <class Real>
std::uint16_t to_bf16(Real value) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  const std::uint32_t magnitude = bits & 0x7FFFFFFF;
  // Half of the last place that stays, less a bit where that place is even: so halves go to even.
  const std::uint32_t rounded = (magnitude + 0x7FFF + (magnitude >> 16 & 1)) >> 16;
  // What is infinite, as a float or so rounded, is cut off.
  return static_cast<std::uint16_t>(std::min(rounded, bf16_infinity - 1) | (bits >> 31 << 15));
}

template <class Real>
class Bf16Codec final : public Codec<Real> {
 public:
  Bytes bytes(Index d) const override { return 2 * static_cast<Bytes>(d); }

  void encode(const Real* v, Index d, const Draw&, std::byte* out) const override {
    for (Index j = 0; j < d; ++j) {
      const std::uint16_t upper = to_bf16(v[j]);
      std::memcpy(out + 2 * j, &upper, 2);
    }
  }

  void add_decoded(const std::byte* in, Index d, const Draw&, Real* to) const override {
    std::uint32_t faults = 0;
    for (Index j = 0; j < d; ++j) {
      std::uint16_t upper = 0;
      std::memcpy(&upper, in + 2 * j, 2);
      faults |= (upper & 0x7FFFU) >= bf16_infinity;
      to[j] += static_cast<Real>(std::bit_cast<float>(static_cast<std::uint32_t>(upper) << 16));
    }
    if (faults != 0) throw DataError("a letter of bf16: a number that is not finite");
  }
};

}  // namespace

template <class Real>
CodecPtr<Real> make_bf16() {
  return std::make_unique<Bf16Codec<Real>>();
}
template CodecPtr<float> make_bf16();
template CodecPtr<double> make_bf16();

}  // namespace driftless::codec
