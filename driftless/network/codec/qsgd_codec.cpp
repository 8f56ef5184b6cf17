#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "driftless/base/error.hpp"
#include "driftless/network/codec/bits.hpp"
#include "driftless/network/codec/codec_kernels.hpp"
#include "driftless/network/codec/kinds.hpp"
#include "driftless/network/codec/packed_codes.hpp"
#include "driftless/network/codec/row_sum.hpp"

// D. Alistarh et al.: QSGD, NIPS 2017. The norm, then s + sgn(v) level for each number.
namespace driftless::codec {
namespace {

constexpr Index levels_at_once = 1024;  // a multiple of 64

// A greater one could become infinite where levels are multiplied with it.
template <class Real>
constexpr Real greatest_norm = std::numeric_limits<Real>::max() / 2;

template <class Real>
struct Norm {
  Real sent;
  NormRatio ratio;
};

// Where squares would leave the range of doubles, a power of two keeps them in.
template <class Real>
Norm<Real> norm_of(const Real* v, Index d) {
  const auto square_sum = [&](double factor) {
    return row_sum(v, d, [=](double x) { return (x * factor) * (x * factor); });
  };
  double factor = 1;
  double sum = square_sum(factor);
  if (sum < 0x1p-900 || !std::isfinite(sum)) {
    factor = sum < 1 ? 0x1p600 : 0x1p-600;
    sum = square_sum(factor);
  }
  const double norm = std::sqrt(sum) / factor;
  const Real sent = norm < greatest_norm<Real> ? static_cast<Real>(norm) : greatest_norm<Real>;
  return {sent, {factor, sizeof(Real) == sizeof(float) ? sent : std::sqrt(sum)}};
}

template <class Real>
class QsgdCodec final : public Codec<Real> {
 public:
  QsgdCodec(int levels, bool unbiased)
      : levels_(levels),
        bits_(std::bit_width(2 * static_cast<unsigned>(levels))),
        unbiased_(unbiased) {}

  Bytes bytes(Index d) const override { return sizeof(Real) + bytes_of_codes(d, bits_); }

  void encode(const Real* v, Index d, const Draw& draw, std::byte* out) const override {
    const Norm<Real> norm = norm_of(v, d);
    std::memcpy(out, &norm.sent, sizeof(Real));
    out += sizeof(Real);
    std::uint8_t codes[levels_at_once];
    for (Index first = 0; first < d; first += levels_at_once) {
      const Index count = std::min(d - first, levels_at_once);
      if (norm.sent > 0) {
        choose_levels(v + first, count, norm.ratio, levels_, draw, first, codes);
      } else {
        std::fill_n(codes, count, static_cast<std::uint8_t>(levels_));
      }
      pack_codes(codes, count, bits_, out + bytes_of_codes(first, bits_));
    }
  }

  void add_decoded(const std::byte* in, Index d, const Draw&, Real* to) const override {
    Real norm = 0;
    std::memcpy(&norm, in, sizeof(Real));
    in += sizeof(Real);
    if (std::signbit(norm) || !(norm <= greatest_norm<Real>)) {
      throw DataError("a letter of qsgd: the norm {}", norm);
    }
    if (!rest_is_zero(in, d, bits_)) throw DataError("a letter of qsgd: bits beyond its end");
    const double tau = unbiased_ ? 1 : 1 + qsgd_variance(levels_, d);
    const auto unit = static_cast<Real>(static_cast<double>(norm) / (levels_ * tau));
    std::uint8_t codes[levels_at_once];
    for (Index first = 0; first < d; first += levels_at_once) {
      const Index count = std::min(d - first, levels_at_once);
      unpack_codes(in + bytes_of_codes(first, bits_), count, bits_, codes);
      std::uint8_t greatest = 0;
      for (Index j = 0; j < count; ++j) greatest = std::max(greatest, codes[j]);
      if (greatest > 2 * levels_) {
        throw DataError("a letter of qsgd: level {} of {}", greatest - levels_, levels_);
      }
      add_codes(codes, count, 0, levels_, unit, to + first);
    }
  }

 private:
  int levels_;
  int bits_;
  bool unbiased_;
};

}  // namespace

template <class Real>
CodecPtr<Real> make_qsgd(int levels, bool unbiased) {
  return std::make_unique<QsgdCodec<Real>>(levels, unbiased);
}
template CodecPtr<float> make_qsgd(int, bool);
template CodecPtr<double> make_qsgd(int, bool);

}  // namespace driftless::codec
