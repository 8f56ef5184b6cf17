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

using Numbers = hn::CappedTag<double, normal_tile_blocks>;
using Bits = hn::RebindToUnsigned<Numbers>;
constexpr Index lanes = hn::MaxLanes(Numbers());
constexpr int plane_vectors = normal_tile_blocks / lanes;

// `count` vectors that go through the same operations side by side, which hides their latency.
template <class Tag, int count>
struct Pack {
  hn::Vec<Tag> v[count];
};
template <int count>
using NumberPack = Pack<Numbers, count>;
template <int count>
using BitPack = Pack<Bits, count>;

template <class Tag, int count>
HWY_INLINE Pack<Tag, count> splat(hn::TFromD<Tag> value) {
  Pack<Tag, count> all;
  for (auto& v : all.v) v = hn::Set(Tag(), value);
  return all;
}

#define DRIFTLESS_PACK_OPERATOR(symbol, function)                                       \
  template <class Tag, int count>                                                       \
  HWY_INLINE Pack<Tag, count> operator symbol(Pack<Tag, count> a, Pack<Tag, count> b) { \
    for (int i = 0; i < count; ++i) a.v[i] = hn::function(a.v[i], b.v[i]);              \
    return a;                                                                           \
  }                                                                                     \
  template <class Tag, int count>                                                       \
  HWY_INLINE Pack<Tag, count> operator symbol(Pack<Tag, count> a, hn::TFromD<Tag> b) {  \
    return a symbol splat<Tag, count>(b);                                               \
  }
DRIFTLESS_PACK_OPERATOR(+, Add)
DRIFTLESS_PACK_OPERATOR(-, Sub)
DRIFTLESS_PACK_OPERATOR(*, Mul)
DRIFTLESS_PACK_OPERATOR(/, Div)
DRIFTLESS_PACK_OPERATOR(&, And)
DRIFTLESS_PACK_OPERATOR(|, Or)
DRIFTLESS_PACK_OPERATOR(^, Xor)
#undef DRIFTLESS_PACK_OPERATOR

template <int places, int count>
HWY_INLINE BitPack<count> shift_right(BitPack<count> a) {
  for (auto& v : a.v) v = hn::ShiftRight<places>(v);
  return a;
}

template <int places, int count>
HWY_INLINE BitPack<count> shift_left(BitPack<count> a) {
  for (auto& v : a.v) v = hn::ShiftLeft<places>(v);
  return a;
}

template <int count>
HWY_INLINE NumberPack<count> square_root(NumberPack<count> a) {
  for (auto& v : a.v) v = hn::Sqrt(v);
  return a;
}

template <int count>
HWY_INLINE NumberPack<count> as_numbers(const BitPack<count>& a) {
  NumberPack<count> result;
  for (int i = 0; i < count; ++i) result.v[i] = hn::BitCast(Numbers(), a.v[i]);
  return result;
}

template <int count>
HWY_INLINE BitPack<count> as_bits(const NumberPack<count>& a) {
  BitPack<count> result;
  for (int i = 0; i < count; ++i) result.v[i] = hn::BitCast(Bits(), a.v[i]);
  return result;
}

// The products of the low halves of the lanes.
template <int count>
HWY_INLINE BitPack<count> low_product(BitPack<count> a, std::uint32_t b) {
  for (auto& v : a.v) {
#if HWY_TARGET == HWY_SCALAR
    v = hn::Set(Bits(), (hn::GetLane(v) & 0xFFFFFFFF) * b);
#else
    const hn::Repartition<std::uint32_t, Bits> halves;
    v = hn::MulEven(hn::BitCast(halves, v), hn::Set(halves, b));
#endif
  }
  return a;
}

// Philox4x32-10 on counters. A word is the low half of its lane; the high halves hold garbage,
// which no product reads.
template <int count>
HWY_INLINE void philox(BitPack<count> (&c)[4], const PhiloxKey& key) {
  auto key0 = hn::Set(Bits(), key[0]);
  auto key1 = hn::Set(Bits(), key[1]);
  for (int round = 0; round < 10; ++round) {
    const BitPack<count> product0 = low_product(c[0], 0xD2511F53);
    const BitPack<count> product1 = low_product(c[2], 0xCD9E8D57);
    for (int i = 0; i < count; ++i) {
      c[0].v[i] = hn::Xor(hn::Xor(c[1].v[i], key0), hn::ShiftRight<32>(product1.v[i]));
      c[2].v[i] = hn::Xor(hn::Xor(c[3].v[i], key1), hn::ShiftRight<32>(product0.v[i]));
    }
    c[1] = product1;
    c[3] = product0;
    key0 = hn::Add(key0, hn::Set(Bits(), 0x9E3779B9));
    key1 = hn::Add(key1, hn::Set(Bits(), 0xBB67AE85));
  }
}

// c[0] + c[1] x + c[2] x^2 + ...
template <int count, std::size_t size>
HWY_INLINE NumberPack<count> polynomial(NumberPack<count> x, const double (&c)[size]) {
  NumberPack<count> sum = splat<Numbers, count>(c[size - 1]);
  for (std::size_t k = size - 1; k-- > 0;) sum = sum * x + c[k];
  return sum;
}

// sqrt(-2 ln u) with u = (word + 1/2) / 2^32, to 2e-14. With u = 2^e m, m in [sqrt(1/2), sqrt(2))
// and s = (m - 1) / (m + 1), -2 ln u = -2 e ln 2 - 4 atanh(s), and e = 0 where u is near 1.
template <int count>
HWY_INLINE NumberPack<count> radius(BitPack<count> word) {
  // The word becomes the low bits of a number whose last place is 2^-32.
  const auto u = as_numbers((word & 0xFFFFFFFF) | 0x4130000000000000) - (0x1p20 - 0x1p-33);

  constexpr std::uint64_t one = 0x3FF0000000000000;
  constexpr std::uint64_t root_half = 0x3FE6A09E667F3BCD;
  const auto moved = as_bits(u) + (one - root_half);
  const auto e = as_numbers(shift_right<52>(moved) | 0x4330000000000000) - (0x1p52 + 1023);
  const auto m = as_numbers((moved & 0x000FFFFFFFFFFFFF) + root_half);

  // -4 atanh(s) / s in powers of s^2: minimax for the relative error, 2.7e-14.
  constexpr double arc[] = {-0x1.fffffffffff0fp+1, -0x1.5555555674018p+0, -0x1.999996262f533p-1,
                            -0x1.24943a4fb156fp-1, -0x1.c62042bafb659p-2, -0x1.919c16fb7cd7bp-2};
  constexpr double minus_2_ln_2 = -0x1.62e42fefa39efp+0;
  const auto s = (m - 1.0) / (m + 1.0);
  return square_root(e * minus_2_ln_2 + s * polynomial(s * s, arc));
}

// r cos a and r sin a with a = 2 pi word / 2^32, to 4e-14 r. The top bit of the word is half a
// turn: it flips the signs of both. The rest is a = pi/2 + (pi/2) t with t in [-1, 1), hence
// cos a = -sin(pi t / 2) and sin a = cos(pi t / 2).
template <int count>
HWY_INLINE void rotate(NumberPack<count> r, BitPack<count> word, NumberPack<count>& r_cos,
                       NumberPack<count>& r_sin) {
  const auto t = as_numbers((word & 0x7FFFFFFF) | 0x4150000000000000) - (0x1p22 + 1);
  const auto signed_r = as_numbers(as_bits(r) ^ (shift_left<32>(word) & 0x8000000000000000));

  // -sin(pi t / 2) / t and cos(pi t / 2) in powers of t^2: minimax, 3.9e-14 and 1.9e-15.
  constexpr double minus_sine[] = {
      -0x1.921fb544422b9p+0,  0x1.4abbce622b70dp-1,  -0x1.466bc666fa779p-4, 0x1.32d2c80461ff5p-8,
      -0x1.5076b5c39d900p-13, 0x1.e289957cfd8a4p-19, -0x1.d3d9ca2c12bbdp-25};
  constexpr double cosine[] = {0x1.fffffffffffefp-1,  -0x1.3bd3cc9be4183p+0, 0x1.03c1f0819ec82p-2,
                               -0x1.55d3c7d856603p-6, 0x1.e1f500e64734bp-11, -0x1.a6d0710dd3faep-16,
                               0x1.f9613b16e0231p-22, -0x1.a52e7c06fc674p-28};
  const auto t2 = t * t;
  r_cos = signed_r * (t * polynomial(t2, minus_sine));
  r_sin = signed_r * polynomial(t2, cosine);
}

template <class Real>
HWY_INLINE auto round_to(hn::Vec<Numbers> values) {
  if constexpr (std::is_same_v<Real, double>) {
    return values;
  } else {
    return hn::DemoteTo(hn::Rebind<Real, Numbers>(), values);
  }
}

// Writes or adds the first `room` numbers of a plane.
template <class Real, bool add>
HWY_INLINE void put(const hn::Vec<Numbers>* values, Real* out, Index room) {
  const hn::Rebind<Real, Numbers> reals;
  for (Index first = 0; first < normal_tile_blocks && first < room; first += lanes, ++values) {
    if (first + lanes <= room) {
      auto result = round_to<Real>(*values);
      if constexpr (add) result = hn::Add(hn::LoadU(reals, out + first), result);
      hn::StoreU(result, reals, out + first);
    } else {
      HWY_ALIGN double buffer[lanes];
      hn::Store(*values, Numbers(), buffer);
      for (Index l = 0; first + l < room; ++l) {
        const Real value = static_cast<Real>(buffer[l]);
        out[first + l] = add ? out[first + l] + value : value;
      }
    }
  }
}

// The first `room` coordinates of the tile whose counters are given.
template <class Real, bool add, int count>
HWY_INLINE void tile(Real* out, Index room, double deviation,
                     const BitPack<plane_vectors> (&w)[4]) {
  BitPack<count> radius_words, angle_words;
  for (int i = 0; i < count; ++i) {
    radius_words.v[i] = w[i / plane_vectors * 2].v[i % plane_vectors];
    angle_words.v[i] = w[i / plane_vectors * 2 + 1].v[i % plane_vectors];
  }
  NumberPack<count> first, second;
  rotate(radius(radius_words) * deviation, angle_words, first, second);
  for (int i = 0; i < count; i += plane_vectors) {
    const Index j = 2 * i * lanes;
    put<Real, add>(first.v + i, out + j, room - j);
    put<Real, add>(second.v + i, out + j + normal_tile_blocks, room - j - normal_tile_blocks);
  }
}

template <class Real, bool add>
void normals(Real* out, Index d, double deviation, PhiloxKey key, PhiloxCounter counter) {
  constexpr Index size = 4 * normal_tile_blocks;
  BitPack<plane_vectors> blocks;
  for (int i = 0; i < plane_vectors; ++i) {
    blocks.v[i] = hn::Iota(Bits(), static_cast<std::uint64_t>(i * lanes));
  }
  for (Index j = 0; j < d; j += size) {
    BitPack<plane_vectors> w[4] = {blocks, splat<Bits, plane_vectors>(counter[1]),
                                   splat<Bits, plane_vectors>(counter[2]),
                                   splat<Bits, plane_vectors>(counter[3])};
    philox(w, key);
    blocks = blocks + normal_tile_blocks;
    const Index room = d - j;
    if (room >= size) {
      tile<Real, add, 2 * plane_vectors>(out + j, size, deviation, w);
    } else if (room > size / 2) {
      tile<Real, add, 2 * plane_vectors>(out + j, room, deviation, w);
    } else {
      tile<Real, add, plane_vectors>(out + j, room, deviation, w);
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
