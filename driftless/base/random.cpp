#include "driftless/base/random.hpp"

#include <algorithm>

// Highway compiles this file once for each instruction set it knows.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "driftless/base/random.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace driftless::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// One lane for each block. The cap keeps a vector within one plane of a tile.
using Numbers = hn::CappedTag<double, normal_tile_blocks>;
using Bits = hn::RebindToUnsigned<Numbers>;
using NumberVec = hn::Vec<Numbers>;
using BitVec = hn::Vec<Bits>;
static constexpr Numbers numbers;
static constexpr Bits bits;

HWY_INLINE BitVec low_half_product(BitVec a, BitVec b) {
#if HWY_TARGET == HWY_SCALAR
  return hn::Set(bits, (hn::GetLane(a) & 0xFFFFFFFF) * (hn::GetLane(b) & 0xFFFFFFFF));
#else
  const hn::Repartition<std::uint32_t, Bits> halves;
  return hn::MulEven(hn::BitCast(halves, a), hn::BitCast(halves, b));
#endif
}

// Philox4x32-10 on a vector of counters. A word is the low half of its lane; the high halves hold
// garbage, which no product reads.
HWY_INLINE void philox(BitVec& c0, BitVec& c1, BitVec& c2, BitVec& c3, PhiloxKey key) {
  const BitVec multiplier0 = hn::Set(bits, 0xD2511F53);
  const BitVec multiplier1 = hn::Set(bits, 0xCD9E8D57);
  for (int round = 0; round < 10; ++round) {
    const BitVec product0 = low_half_product(c0, multiplier0);
    const BitVec product1 = low_half_product(c2, multiplier1);
    c0 = hn::Xor(hn::Xor(hn::ShiftRight<32>(product1), c1), hn::Set(bits, key[0]));
    c1 = product1;
    c2 = hn::Xor(hn::Xor(hn::ShiftRight<32>(product0), c3), hn::Set(bits, key[1]));
    c3 = product0;
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
}

// c[0] + c[1] x + c[2] x^2 + ...
template <std::size_t size>
HWY_INLINE NumberVec polynomial(NumberVec x, const double (&c)[size]) {
  NumberVec sum = hn::Set(numbers, c[size - 1]);
  for (std::size_t k = size - 1; k-- > 0;) {
    sum = hn::Add(hn::Mul(sum, x), hn::Set(numbers, c[k]));
  }
  return sum;
}

// sqrt(-2 ln u) with u = (word + 1/2) / 2^32, to 2e-14. With u = 2^e m, m in [sqrt(1/2), sqrt(2))
// and s = (m - 1) / (m + 1), -2 ln u = -2 e ln 2 - 4 atanh(s), and e = 0 where u is near 1.
HWY_INLINE NumberVec radius(BitVec word) {
  // The word becomes the low bits of a number whose last place is 2^-32.
  const BitVec low = hn::And(word, hn::Set(bits, 0xFFFFFFFF));
  const NumberVec shifted = hn::BitCast(numbers, hn::Or(low, hn::Set(bits, 0x4130000000000000)));
  const NumberVec u = hn::Sub(shifted, hn::Set(numbers, 0x1p20 - 0x1p-33));

  constexpr std::uint64_t one = 0x3FF0000000000000;
  constexpr std::uint64_t root_half = 0x3FE6A09E667F3BCD;
  const BitVec moved = hn::Add(hn::BitCast(bits, u), hn::Set(bits, one - root_half));
  const BitVec biased = hn::Or(hn::ShiftRight<52>(moved), hn::Set(bits, 0x4330000000000000));
  const NumberVec e = hn::Sub(hn::BitCast(numbers, biased), hn::Set(numbers, 0x1p52 + 1023));
  const BitVec mantissa = hn::And(moved, hn::Set(bits, 0x000FFFFFFFFFFFFF));
  const NumberVec m = hn::BitCast(numbers, hn::Add(mantissa, hn::Set(bits, root_half)));

  const NumberVec unit = hn::Set(numbers, 1.0);
  const NumberVec s = hn::Div(hn::Sub(m, unit), hn::Add(m, unit));
  // -4 atanh(s) / s in powers of s^2: minimax for the relative error, 2.7e-14.
  constexpr double arc[] = {-0x1.fffffffffff0fp+1, -0x1.5555555674018p+0, -0x1.999996262f533p-1,
                            -0x1.24943a4fb156fp-1, -0x1.c62042bafb659p-2, -0x1.919c16fb7cd7bp-2};
  constexpr double minus_2_ln_2 = -0x1.62e42fefa39efp+0;
  const NumberVec arctanh = hn::Mul(s, polynomial(hn::Mul(s, s), arc));
  return hn::Sqrt(hn::Add(hn::Mul(e, hn::Set(numbers, minus_2_ln_2)), arctanh));
}

// r cos a and r sin a with a = 2 pi word / 2^32, to 4e-14 r. The top bit of the word is half a
// turn: it flips the signs of both. The rest is a = pi/2 + (pi/2) t with t in [-1, 1), hence cos a
// = -sin(pi t / 2) and sin a = cos(pi t / 2).
HWY_INLINE void rotate(NumberVec r, BitVec word, NumberVec& r_cos, NumberVec& r_sin) {
  const BitVec low = hn::And(word, hn::Set(bits, 0x7FFFFFFF));
  const NumberVec shifted = hn::BitCast(numbers, hn::Or(low, hn::Set(bits, 0x4150000000000000)));
  const NumberVec t = hn::Sub(shifted, hn::Set(numbers, 0x1p22 + 1));
  const BitVec top = hn::And(hn::ShiftLeft<32>(word), hn::Set(bits, 0x8000000000000000));
  const NumberVec signed_r = hn::Xor(r, hn::BitCast(numbers, top));

  // -sin(pi t / 2) / t and cos(pi t / 2) in powers of t^2: minimax, 3.9e-14 and 1.9e-15.
  constexpr double minus_sine[] = {
      -0x1.921fb544422b9p+0,  0x1.4abbce622b70dp-1,  -0x1.466bc666fa779p-4, 0x1.32d2c80461ff5p-8,
      -0x1.5076b5c39d900p-13, 0x1.e289957cfd8a4p-19, -0x1.d3d9ca2c12bbdp-25};
  constexpr double cosine[] = {0x1.fffffffffffefp-1,  -0x1.3bd3cc9be4183p+0, 0x1.03c1f0819ec82p-2,
                               -0x1.55d3c7d856603p-6, 0x1.e1f500e64734bp-11, -0x1.a6d0710dd3faep-16,
                               0x1.f9613b16e0231p-22, -0x1.a52e7c06fc674p-28};
  const NumberVec t2 = hn::Mul(t, t);
  r_cos = hn::Mul(signed_r, hn::Mul(t, polynomial(t2, minus_sine)));
  r_sin = hn::Mul(signed_r, polynomial(t2, cosine));
}

// Writes or adds the first `room` lanes of `values`.
template <class Real, bool add>
HWY_INLINE void put(NumberVec values, Real* out, Index room) {
  constexpr Index lanes = hn::MaxLanes(numbers);
  const hn::Rebind<Real, Numbers> reals;
  if (room >= lanes) {
    if constexpr (std::is_same_v<Real, double>) {
      hn::StoreU(add ? hn::Add(hn::LoadU(reals, out), values) : values, reals, out);
    } else {
      const auto rounded = hn::DemoteTo(reals, values);
      hn::StoreU(add ? hn::Add(hn::LoadU(reals, out), rounded) : rounded, reals, out);
    }
    return;
  }
  HWY_ALIGN double buffer[lanes];
  hn::Store(values, numbers, buffer);
  for (Index l = 0; l < room; ++l) {
    const Real value = static_cast<Real>(buffer[l]);
    out[l] = add ? out[l] + value : value;
  }
}

template <class Real, bool add>
void normals(Real* out, Index d, double deviation, const PhiloxKey& key,
             const PhiloxCounter& counter) {
  constexpr Index plane = normal_tile_blocks;
  constexpr Index lanes = hn::MaxLanes(numbers);
  const NumberVec scale = hn::Set(numbers, deviation);
  for (Index tile = 0; tile < d; tile += 4 * plane) {
    for (Index l = 0; l < plane && tile + l < d; l += lanes) {
      const Index block = tile / 4 + l;
      BitVec w0 = hn::Iota(bits, static_cast<std::uint64_t>(block));
      BitVec w1 = hn::Set(bits, counter[1]);
      BitVec w2 = hn::Set(bits, counter[2]);
      BitVec w3 = hn::Set(bits, counter[3]);
      philox(w0, w1, w2, w3, key);

      // Numbers k = 0 and 1 of these blocks, then 2 and 3; what lies beyond d is left out.
      const auto pair = [&](BitVec radius_word, BitVec angle_word, Index j) HWY_ATTR {
        if (j >= d) return;
        NumberVec first, second;
        rotate(hn::Mul(scale, radius(radius_word)), angle_word, first, second);
        put<Real, add>(first, out + j, d - j);
        if (j + plane < d) put<Real, add>(second, out + j + plane, d - j - plane);
      };
      pair(w0, w1, tile + l);
      pair(w2, w3, tile + l + 2 * plane);
    }
  }
}

// Highway's dispatch tables want plain names.
static constexpr auto& add_normals_float = normals<float, true>;
static constexpr auto& add_normals_double = normals<double, true>;
static constexpr auto& fill_normals_float = normals<float, false>;
static constexpr auto& fill_normals_double = normals<double, false>;

}  // namespace driftless::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <Random123/philox.h>

namespace driftless {

std::uint32_t word(const Draw& draw, Purpose purpose, std::uint64_t index) {
  const PhiloxKey key = philox_key(draw);
  const PhiloxCounter c = philox_counter(draw, purpose, static_cast<std::uint32_t>(index / 4));
  return r123::Philox4x32()({{c[0], c[1], c[2], c[3]}}, {{key[0], key[1]}})[index % 4];
}

double uniform(const Draw& draw, Purpose purpose, std::uint64_t index) {
  const std::uint64_t high = word(draw, purpose, 2 * index);
  const std::uint64_t low = word(draw, purpose, 2 * index + 1);
  return (static_cast<double>(((high << 32) | low) >> 12) + 0.5) * 0x1p-52;
}

HWY_EXPORT(add_normals_float);
HWY_EXPORT(add_normals_double);
HWY_EXPORT(fill_normals_float);
HWY_EXPORT(fill_normals_double);

template <>
void add_normals(float* out, Index d, double deviation, const Draw& draw, Purpose purpose) {
  HWY_DYNAMIC_DISPATCH(add_normals_float)
  (out, d, deviation, philox_key(draw), philox_counter(draw, purpose, 0));
}
template <>
void add_normals(double* out, Index d, double deviation, const Draw& draw, Purpose purpose) {
  HWY_DYNAMIC_DISPATCH(add_normals_double)
  (out, d, deviation, philox_key(draw), philox_counter(draw, purpose, 0));
}
template <>
void fill_normals(float* out, Index d, double deviation, const Draw& draw, Purpose purpose) {
  HWY_DYNAMIC_DISPATCH(fill_normals_float)
  (out, d, deviation, philox_key(draw), philox_counter(draw, purpose, 0));
}
template <>
void fill_normals(double* out, Index d, double deviation, const Draw& draw, Purpose purpose) {
  HWY_DYNAMIC_DISPATCH(fill_normals_double)
  (out, d, deviation, philox_key(draw), philox_counter(draw, purpose, 0));
}

}  // namespace driftless
#endif
