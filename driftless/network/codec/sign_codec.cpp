#include <cmath>
#include <cstring>
#include <limits>

#include "driftless/base/error.hpp"
#include "driftless/network/codec/bits.hpp"
#include "driftless/network/codec/kinds.hpp"
#include "driftless/network/codec/row_sum.hpp"

// The mean magnitude, then a bit for each number: 1 where it is negative.
namespace driftless::codec {
namespace {

template <class Real>
Real mean_magnitude(const Real* v, Index d) {
  constexpr Real greatest = std::numeric_limits<Real>::max();
  const auto count = static_cast<double>(d);
  double mean = row_sum(v, d, [](double x) { return std::abs(x); }) / count;
  if (!std::isfinite(mean)) {
    mean = row_sum(v, d, [](double x) { return std::abs(x) * 0x1p-64; }) / count * 0x1p64;
  }
  return mean < greatest ? static_cast<Real>(mean) : greatest;
}

template <class Real>
class SignCodec final : public Codec<Real> {
 public:
  Bytes bytes(Index d) const override { return sizeof(Real) + bytes_of_codes(d, 1); }

  void encode(const Real* v, Index d, const Draw&, std::byte* out) const override {
    const Real scale = mean_magnitude(v, d);
    std::memcpy(out, &scale, sizeof scale);
    out += sizeof scale;
    for (Index j = 0; j < d; j += 8) {
      unsigned eight = 0;
      for (Index l = 0; l < 8 && j + l < d; ++l) {
        eight |= static_cast<unsigned>(v[j + l] < 0) << l;
      }
      *out++ = static_cast<std::byte>(eight);
    }
  }

  void add_decoded(const std::byte* in, Index d, const Draw&, Real* to) const override {
    Real scale = 0;
    std::memcpy(&scale, in, sizeof scale);
    in += sizeof scale;
    if (std::signbit(scale) || !std::isfinite(scale)) {
      throw DataError("a letter of sign: the scale {}", scale);
    }
    if (!rest_is_zero(in, d, 1)) throw DataError("a letter of sign: bits beyond its end");
    const Real signed_scale[] = {scale, -scale};  // nobody could foresee the branches
    for (Index j = 0; j < d; j += 8) {
      const auto eight = std::to_integer<unsigned>(*in++);
      for (Index l = 0; l < 8 && j + l < d; ++l) to[j + l] += signed_scale[eight >> l & 1];
    }
  }
};

}  // namespace

template <class Real>
CodecPtr<Real> make_sign() {
  return std::make_unique<SignCodec<Real>>();
}
template CodecPtr<float> make_sign();
template CodecPtr<double> make_sign();

}  // namespace driftless::codec
