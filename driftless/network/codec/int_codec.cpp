#include <algorithm>
#include <bit>
#include <cstdint>

#include "driftless/base/error.hpp"
#include "driftless/network/codec/bits.hpp"
#include "driftless/network/codec/codec_kernels.hpp"
#include "driftless/network/codec/kinds.hpp"
#include "driftless/network/codec/packed_codes.hpp"

// Integers of 3 to 8 bits that share an exponent in blocks. Powers of two make it exact: there is
// no division to round.
//
//   e of all blocks (a byte each; -128: all of the block is zero), then the codes of all numbers
namespace driftless::codec {
namespace {

constexpr int zero_block = -128;
constexpr int least_exponent = -127;
constexpr int greatest_exponent = 127;
constexpr Index codes_at_once = 1024;  // a multiple of eight

// A byte as a number with a sign.
int exponent_of(std::byte byte) { return (std::to_integer<int>(byte) ^ 128) - 128; }

// The least e with greatest <= q 2^e, q = 2^(bits - 1) - 1. As f 2^(bits - 2), q has f = 1.11…1
// with bits - 2 ones behind the point; a fraction above that carries into the exponent here. As
// doubles, all numbers that matter are normal.
int shared_exponent(double greatest, int bits) {
  const std::uint64_t carry = (std::uint64_t{1} << (52 - (bits - 2))) - 1;
  const auto exponent = static_cast<int>((std::bit_cast<std::uint64_t>(greatest) + carry) >> 52);
  const int e = exponent - 1023 - (bits - 2);
  return e < least_exponent ? zero_block : std::min(e, greatest_exponent);
}

template <class Real>
Real power_of_two(int e) {
  return static_cast<Real>(std::bit_cast<double>(static_cast<std::uint64_t>(e + 1023) << 52));
}

template <class Real>
class IntCodec final : public Codec<Real> {
 public:
  IntCodec(int bits, Index block) : bits_(bits), sign_(1 << (bits - 1)), block_(block) {}

  Bytes bytes(Index d) const override { return blocks(d) + bytes_of_codes(d, bits_); }

  void encode(const Real* v, Index d, const Draw&, std::byte* out) const override {
    std::byte* exponents = out;
    out += blocks(d);
    std::uint8_t codes[codes_at_once];
    Index block_end = 0;
    int e = zero_block;
    for (Index chunk = 0; chunk < d; chunk += codes_at_once) {
      const Index end = std::min(d, chunk + codes_at_once);
      for (Index j = chunk, count = 0; j < end; j += count) {
        if (j == block_end) {
          block_end = std::min(d, j + block_);
          e = shared_exponent(greatest_magnitude(v + j, block_end - j), bits_);
          *exponents++ = static_cast<std::byte>(e);
        }
        count = std::min(end, block_end) - j;
        quantise(v + j, count, e, codes + (j - chunk));
      }
      pack_codes(codes, end - chunk, bits_, out + bytes_of_codes(chunk, bits_));
    }
  }

  void add_decoded(const std::byte* in, Index d, const Draw&, Real* to) const override {
    const std::byte* exponents = in;
    in += blocks(d);
    if (!rest_is_zero(in, d, bits_)) {
      throw DataError("a letter of int{}: bits beyond its end", bits_);
    }
    std::uint8_t codes[codes_at_once];
    Index block_end = 0;
    int e = zero_block;
    for (Index chunk = 0; chunk < d; chunk += codes_at_once) {
      const Index end = std::min(d, chunk + codes_at_once);
      unpack_codes(in + bytes_of_codes(chunk, bits_), end - chunk, bits_, codes);
      for (Index j = chunk, count = 0; j < end; j += count) {
        if (j == block_end) {
          block_end = std::min(d, j + block_);
          e = exponent_of(*exponents++);
        }
        count = std::min(end, block_end) - j;
        add(codes + (j - chunk), count, e, to + j);
      }
    }
  }

 private:
  Bytes blocks(Index d) const { return static_cast<Bytes>((d + block_ - 1) / block_); }

  // rint(v / 2^e), cut to ±q, in two's complement of `bits`.
  void quantise(const Real* v, Index count, int e, std::uint8_t* codes) const {
    if (e == zero_block) {
      std::fill_n(codes, count, std::uint8_t{0});
    } else {
      round_to_codes(v, count, power_of_two<Real>(-e), sign_ - 1, 2 * sign_ - 1, codes);
    }
  }

  void add(const std::uint8_t* codes, Index count, int e, Real* to) const {
    const auto sign = static_cast<std::uint8_t>(sign_);
    std::uint8_t least = sign;  // of the codes, counted from -q - 1
    std::uint8_t any = 0;
    for (Index j = 0; j < count; ++j) {
      least = std::min<std::uint8_t>(least, codes[j] ^ sign);
      any |= codes[j];
    }
    if (least == 0) throw DataError("a letter of int{}: a number below all others", bits_);
    if (e != zero_block) {
      add_codes(codes, count, sign_, sign_, power_of_two<Real>(e), to);
    } else if (any != 0) {
      throw DataError("a letter of int{}: a number in a block of zeros", bits_);
    }
  }

  int bits_;
  int sign_;  // the bit of a code that tells it
  Index block_;
};

}  // namespace

template <class Real>
CodecPtr<Real> make_int(int bits, Index block) {
  return std::make_unique<IntCodec<Real>>(bits, block);
}
template CodecPtr<float> make_int(int, Index);
template CodecPtr<double> make_int(int, Index);

}  // namespace driftless::codec
