#include "driftless/base/random.hpp"

#include <bit>
#include <type_traits>

#include "driftless/base/simd_targets.hpp"
// Highway compiles this file once for each instruction set it knows.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "driftless/base/normals.cpp"
#include <hwy/foreach_target.h>
// Read again for each of them, so only after foreach_target.h.
#include "driftless/base/philox-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace driftless::HWY_NAMESPACE {

constexpr Index tile_size = 4 * normal_tile_blocks;

// `count` vectors that go through the same operations side by side, which hides their latency.
template <int count>
struct Pack {
  NumberVec v[count];
};

#define DRIFTLESS_PACK_OPERATOR(symbol, function)                          \
  template <int count>                                                     \
  HWY_INLINE Pack<count> operator symbol(Pack<count> a, Pack<count> b) {   \
    for (int i = 0; i < count; ++i) a.v[i] = hn::function(a.v[i], b.v[i]); \
    return a;                                                              \
  }                                                                        \
  template <int count>                                                     \
  HWY_INLINE Pack<count> operator symbol(Pack<count> a, double b) {        \
    for (auto& v : a.v) v = hn::function(v, hn::Set(Numbers(), b));        \
    return a;                                                              \
  }
DRIFTLESS_PACK_OPERATOR(+, Add)
DRIFTLESS_PACK_OPERATOR(-, Sub)
DRIFTLESS_PACK_OPERATOR(*, Mul)
DRIFTLESS_PACK_OPERATOR(/, Div)
DRIFTLESS_PACK_OPERATOR(&, And)
DRIFTLESS_PACK_OPERATOR(|, Or)
#undef DRIFTLESS_PACK_OPERATOR

constexpr double pattern(std::uint64_t bits) { return std::bit_cast<double>(bits); }

template <int count>
HWY_INLINE Pack<count> add_bits(Pack<count> a, std::uint64_t b) {
  for (auto& v : a.v) {
    v = hn::BitCast(Numbers(), hn::Add(hn::BitCast(Bits(), v), hn::Set(Bits(), b)));
  }
  return a;
}

template <int places, int count>
HWY_INLINE Pack<count> shift_right_bits(Pack<count> a) {
  for (auto& v : a.v) v = hn::BitCast(Numbers(), hn::ShiftRight<places>(hn::BitCast(Bits(), v)));
  return a;
}

// c[0] + c[1] x + c[2] x^2 + ...
template <int count, std::size_t size>
HWY_INLINE Pack<count> polynomial(Pack<count> x, const double (&c)[size]) {
  Pack<count> sum = x * c[size - 1] + c[size - 2];
  for (std::size_t k = size - 2; k-- > 0;) sum = sum * x + c[k];
  return sum;
}

// The two numbers of each pair of words, times `deviation`; the divisions begin early, because they
// take long.
template <int count>
HWY_INLINE void box_muller(Pack<count> radius_word, Pack<count> angle_word, double deviation,
                           Pack<count>& cosines, Pack<count>& sines) {
  // u = (word + 1/2) / 2^32: the word becomes the low bits of a number whose last place is 2^-32.
  // With u = 2^e m, m in [sqrt(1/2), sqrt(2)), and s = (m - 1) / (m + 1), -2 ln u is
  // -2 e ln 2 - 4 atanh(s), and e = 0 where u is near 1.
  const auto u = ((radius_word & pattern(0xFFFFFFFF)) | 0x1p20) - (0x1p20 - 0x1p-33);
  constexpr std::uint64_t one = std::bit_cast<std::uint64_t>(1.0);
  constexpr std::uint64_t root_half = 0x3FE6A09E667F3BCD;
  const auto moved = add_bits(u, one - root_half);
  const auto m = add_bits(moved & pattern(0x000FFFFFFFFFFFFF), root_half);
  const auto s = (m - 1.0) / (m + 1.0);

  // The top bit of the angle's word is half a turn: it flips both signs. The rest is the angle
  // a = pi/2 + (pi/2) t with t in [-1, 1), so cos a = -sin(pi t / 2) and sin a = cos(pi t / 2).
  // x and y point there: the ratio of their polynomials is minimax for the angle, 5e-16. Dividing
  // by their length under the square root takes fewer terms than a sine and a cosine would.
  constexpr double across[] = {-0x1.921fb54442cf4p+0, 0x1.08fff7fe40254p-1, -0x1.0dd04e75b99c0p-5,
                               0x1.c1f8f3f7b5986p-12};
  constexpr double along[] = {1.0, -0x1.26e7550cbb697p+0, 0x1.40e1c305b0d18p-3,
                              -0x1.3622eebd4119dp-8, 0x1.3f9ac290845f2p-16};
  const auto t = ((angle_word & pattern(0x7FFFFFFF)) | 0x1p22) - (0x1p22 + 1);
  const auto t2 = t * t;
  const auto x = t * polynomial(t2, across);
  const auto y = polynomial(t2, along);
  auto inverse = x * x + y * y;
  for (auto& v : inverse.v) v = hn::Div(hn::Set(Numbers(), 1.0), v);

  // -4 atanh(s) / s in powers of z = s^2: minimax for the relative error, 2.7e-14.
  constexpr double arc_even[] = {-0x1.fffffffffff0fp+1, -0x1.999996262f533p-1,
                                 -0x1.c62042bafb659p-2};
  constexpr double arc_odd[] = {-0x1.5555555674018p+0, -0x1.24943a4fb156fp-1,
                                -0x1.919c16fb7cd7bp-2};
  constexpr double minus_2_ln_2 = -0x1.62e42fefa39efp+0;
  const auto e = (shift_right_bits<52>(moved) | 0x1p52) - (0x1p52 + 1023);
  const auto z = s * s;
  const auto z2 = z * z;
  const auto arc = polynomial(z2, arc_even) + z * polynomial(z2, arc_odd);
  const auto square = (e * minus_2_ln_2 + s * arc) * inverse;

  Pack<count> scale;
  for (int i = 0; i < count; ++i) {
    const BitVec top = hn::ShiftLeft<32>(hn::BitCast(Bits(), angle_word.v[i]));
    const NumberVec signed_deviation = hn::IfNegativeThenElse(
        hn::BitCast(Numbers(), top), hn::Set(Numbers(), -deviation), hn::Set(Numbers(), deviation));
    scale.v[i] = hn::Mul(signed_deviation, hn::Sqrt(square.v[i]));
  }
  cosines = scale * x;
  sines = scale * y;
}

// Where numbers go: written to `out` or added to it.
template <class Real, bool add>
struct Sink {
  Real* out;

  HWY_INLINE void put(Index offset, NumberVec values) const {
    const hn::Rebind<Real, Numbers> reals;
    hn::Vec<hn::Rebind<Real, Numbers>> rounded;
    if constexpr (std::is_same_v<Real, double>) {
      rounded = values;
    } else {
      rounded = hn::DemoteTo(reals, values);
    }
    if constexpr (add) rounded = hn::Add(hn::LoadU(reals, out + offset), rounded);
    hn::StoreU(rounded, reals, out + offset);
  }
  HWY_INLINE void put_one(Index offset, double value) const {
    const Real rounded = static_cast<Real>(value);
    out[offset] = add ? out[offset] + rounded : rounded;
  }
};

// The tile of the blocks from `first` on, or only the first `quarters` quarters of its pairs, which
// are all that its first 4, 16, 20 or 32 coordinates need. Not inlined: a loop around it would move
// every constant to the stack.
template <int quarters, class Out>
HWY_NOINLINE void make_tile(const Words& words, Index first, double deviation, Out sink) {
  constexpr int count = (quarters * plane_vectors + 1) / 2;
  Pack<count> radius_words, angle_words, cosines, sines;
  for (int i = 0; i < count; ++i) {
    const Index pair = i / plane_vectors;
    const Index block = first + i % plane_vectors * lanes;
    radius_words.v[i] = hn::BitCast(Numbers(), hn::Load(Bits(), words[2 * pair] + block));
    angle_words.v[i] = hn::BitCast(Numbers(), hn::Load(Bits(), words[2 * pair + 1] + block));
  }
  box_muller(radius_words, angle_words, deviation, cosines, sines);
  for (int i = 0; i < count; ++i) {
    const Index offset = i / plane_vectors * 2 * normal_tile_blocks + i % plane_vectors * lanes;
    sink.put(offset, cosines.v[i]);
    sink.put(offset + normal_tile_blocks, sines.v[i]);
  }
}

// The first d < 32 coordinates of a tile: made aside, then put one by one where no vector fits.
template <class Out>
HWY_INLINE void make_part_of_tile(const Words& words, Index first, double deviation, Index d,
                                  Out sink) {
  HWY_ALIGN double whole[tile_size];
  const Sink<double, false> aside{whole};
  if (d > tile_size / 2 + tile_size / 8) {
    make_tile<4>(words, first, deviation, aside);
  } else if (d > tile_size / 2) {
    make_tile<3>(words, first, deviation, aside);
  } else if (d > tile_size / 8) {
    make_tile<2>(words, first, deviation, aside);
  } else {
    make_tile<1>(words, first, deviation, aside);
  }
  Index j = 0;
  for (; j + lanes <= d; j += lanes) sink.put(j, hn::Load(Numbers(), whole + j));
  for (; j < d; ++j) sink.put_one(j, whole[j]);
}

template <class Real, bool add>
void normals(Real* out, Index d, double deviation, PhiloxKey key, PhiloxCounter counter) {
  const RoundKeys& keys = round_keys(key);
  HWY_ALIGN Words words;
  for (Index j = 0; j < d; j += tile_size) {
    const bool even = j % (2 * tile_size) == 0;
    const Index first = even ? 0 : normal_tile_blocks;
    if (even) {
      counter[0] = static_cast<std::uint32_t>(j / 4);
      if (d - j > tile_size) {
        make_words<2 * plane_vectors>(counter, keys, words);
      } else {
        make_words<plane_vectors>(counter, keys, words);
      }
    }
    const Sink<Real, add> sink{out + j};
    if (d - j >= tile_size) {
      make_tile<4>(words, first, deviation, sink);
    } else {
      make_part_of_tile(words, first, deviation, d - j, sink);
    }
  }
}

template <class Real>
static constexpr auto& adding = normals<Real, true>;
template <class Real>
static constexpr auto& filling = normals<Real, false>;
DRIFTLESS_NAME(adding);
DRIFTLESS_NAME(filling);

}  // namespace driftless::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "driftless/base/dispatch.hpp"

namespace driftless {

DRIFTLESS_EXPORT(adding)
DRIFTLESS_EXPORT(filling)

template <class Real>
void add_normals(Real* out, Index d, double deviation, const Draw& draw, Purpose purpose) {
  best_adding<Real>()(out, d, deviation, philox_key(draw), philox_counter(draw, purpose, 0));
}
template decltype(add_normals<float>) add_normals<float>;
template decltype(add_normals<double>) add_normals<double>;

template <class Real>
void fill_normals(Real* out, Index d, double deviation, const Draw& draw, Purpose purpose) {
  best_filling<Real>()(out, d, deviation, philox_key(draw), philox_counter(draw, purpose, 0));
}
template decltype(fill_normals<float>) fill_normals<float>;
template decltype(fill_normals<double>) fill_normals<double>;

}  // namespace driftless
#endif
