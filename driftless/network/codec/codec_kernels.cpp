#include "driftless/network/codec/codec_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "driftless/base/simd_targets.hpp"
// Highway compiles this file once for each instruction set it knows.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "driftless/network/codec/codec_kernels.cpp"
#include <hwy/foreach_target.h>
// Read again for each of them, so only after foreach_target.h.
#include "driftless/base/for_each_vector-inl.hpp"
#include "driftless/base/philox-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace driftless::HWY_NAMESPACE {

// Whole numbers as integers, and back.
template <class Vec>
HWY_INLINE auto to_integers(Vec numbers) {
  using Tag = hn::DFromV<Vec>;
  const hn::Rebind<std::int32_t, Tag> integers;
  if constexpr (std::is_same_v<hn::TFromD<Tag>, double>) {
    return hn::DemoteTo(integers, numbers);
  } else {
    return hn::ConvertTo(integers, numbers);
  }
}
template <class Tag, class Vec>
HWY_INLINE auto to_numbers(Tag tag, Vec integers) {
  if constexpr (std::is_same_v<hn::TFromD<Tag>, double>) {
    return hn::PromoteTo(tag, integers);
  } else {
    return hn::ConvertTo(tag, integers);
  }
}

// Integers of 0 … 255.
template <class Vec>
HWY_INLINE void store_codes(Vec integers, std::uint8_t* codes) {
  const hn::Rebind<std::uint8_t, hn::DFromV<Vec>> bytes;
  hn::StoreU(hn::DemoteTo(bytes, integers), bytes, codes);
}

template <class Real>
Real greatest_magnitude(const Real* v, Index count) {
  const hn::ScalableTag<Real> tag;
  const Index step = static_cast<Index>(hn::Lanes(tag));
  auto even = hn::Zero(tag);
  auto odd = hn::Zero(tag);
  Index j = 0;
  for (; j + 2 * step <= count; j += 2 * step) {
    even = hn::Max(even, hn::Abs(hn::LoadU(tag, v + j)));
    odd = hn::Max(odd, hn::Abs(hn::LoadU(tag, v + j + step)));
  }
  Real greatest = hn::GetLane(hn::MaxOfLanes(tag, hn::Max(even, odd)));
  for (; j < count; ++j) greatest = std::max(greatest, std::abs(v[j]));
  return greatest;
}

// Adding 1.5 times the power of two whose last place is 1 rounds to an integer, halves to even.
template <class Real>
void round_to_codes(const Real* v, Index count, Real scale, int limit, int mask,
                    std::uint8_t* codes) {
  constexpr Real rounder = 3 * (Real{1} / std::numeric_limits<Real>::epsilon()) / 2;
  const auto bound = static_cast<Real>(limit);
  for_each_vector<Real>(count, [=](auto tag, Index j) HWY_ATTR {
    auto x = hn::Mul(hn::LoadU(tag, v + j), hn::Set(tag, scale));
    x = hn::Max(hn::Min(x, hn::Set(tag, bound)), hn::Set(tag, -bound));
    x = hn::Sub(hn::Add(x, hn::Set(tag, rounder)), hn::Set(tag, rounder));
    const auto integers = to_integers(x);
    store_codes(hn::And(integers, hn::Set(hn::DFromV<decltype(integers)>(), mask)), codes + j);
  });
}

template <class Real>
void add_codes(const std::uint8_t* codes, Index count, int flipped, int zero, Real unit, Real* to) {
  constexpr Real greatest = std::numeric_limits<Real>::max();
  for_each_vector<Real>(count, [=](auto tag, Index j) HWY_ATTR {
    const hn::Rebind<std::uint8_t, decltype(tag)> bytes;
    const hn::Rebind<std::int32_t, decltype(tag)> integers;
    auto code = hn::PromoteTo(integers, hn::LoadU(bytes, codes + j));
    code = hn::Sub(hn::Xor(code, hn::Set(integers, flipped)), hn::Set(integers, zero));
    auto x = hn::Mul(to_numbers(tag, code), hn::Set(tag, unit));
    x = hn::Max(hn::Min(x, hn::Set(tag, greatest)), hn::Set(tag, -greatest));
    hn::StoreU(hn::Add(hn::LoadU(tag, to + j), x), tag, to + j);
  });
}

constexpr Index words_at_once = 8 * normal_tile_blocks;

// The 64 words from the block that `counter` names on, in their order.
HWY_INLINE void make_dither(const PhiloxCounter& counter, const RoundKeys& keys,
                            std::uint64_t* pairs) {
  HWY_ALIGN Words words;
  make_words<2 * plane_vectors>(counter, keys, words);
  const auto pair = [&](Index k, Index block) HWY_ATTR {
    const BitVec low = hn::And(hn::Load(Bits(), words[k] + block), hn::Set(Bits(), 0xFFFFFFFF));
    return hn::Or(low, hn::ShiftLeft<32>(hn::Load(Bits(), words[k + 1] + block)));
  };
  for (Index block = 0; block < 2 * normal_tile_blocks; block += lanes) {
    hn::StoreInterleaved2(pair(0, block), pair(2, block), Bits(), pairs + 2 * block);
  }
}

template <class Real>
void choose_levels(const Real* v, Index count, const codec::NormRatio& ratio, int levels,
                   PhiloxKey key, PhiloxCounter counter, std::uint8_t* codes) {
  const RoundKeys& keys = round_keys(key);
  HWY_ALIGN std::uint64_t pairs[words_at_once / 2];
  HWY_ALIGN std::int32_t dither[words_at_once];
  for (Index first = 0; first < count; first += words_at_once) {
    make_dither(counter, keys, pairs);
    std::memcpy(dither, pairs, sizeof dither);
    counter[0] += words_at_once / 4;
    const Real* from = v + first;
    std::uint8_t* to = codes + first;
    for_each_vector<double>(
        std::min(count - first, words_at_once), [=](auto tag, Index j) HWY_ATTR {
          const hn::Rebind<Real, decltype(tag)> reals;
          const hn::Rebind<std::int32_t, decltype(tag)> integers;
          // There is no conversion of unsigned integers: they are moved by 2^31.
          const auto moved = hn::Xor(hn::LoadU(integers, dither + j), hn::Set(integers, INT32_MIN));
          const auto u = hn::Mul(hn::Add(hn::PromoteTo(tag, moved), hn::Set(tag, 0x1p31)),
                                 hn::Set(tag, 0x1p-32));
          hn::Vec<decltype(tag)> number;
          if constexpr (std::is_same_v<Real, double>) {
            number = hn::LoadU(tag, from + j);
          } else {
            number = hn::PromoteTo(tag, hn::LoadU(reals, from + j));
          }
          const auto s = hn::Set(tag, static_cast<double>(levels));
          auto x = hn::Mul(s, hn::Mul(hn::Abs(number), hn::Set(tag, ratio.factor)));
          x = hn::Min(hn::Add(hn::Div(x, hn::Set(tag, ratio.divisor)), u), s);
          const auto level = to_integers(hn::CopySign(x, number));  // towards zero
          store_codes(hn::Add(level, hn::Set(integers, levels)), to + j);
        });
  }
}

DRIFTLESS_NAME(greatest_magnitude);
DRIFTLESS_NAME(round_to_codes);
DRIFTLESS_NAME(add_codes);
DRIFTLESS_NAME(choose_levels);

}  // namespace driftless::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "driftless/base/dispatch.hpp"

namespace driftless {

DRIFTLESS_EXPORT(greatest_magnitude)
DRIFTLESS_EXPORT(round_to_codes)
DRIFTLESS_EXPORT(add_codes)
DRIFTLESS_EXPORT(choose_levels)

namespace codec {

template <class Real>
Real greatest_magnitude(const Real* v, Index count) {
  return best_greatest_magnitude<Real>()(v, count);
}
template decltype(greatest_magnitude<float>) greatest_magnitude<float>;
template decltype(greatest_magnitude<double>) greatest_magnitude<double>;

template <class Real>
void round_to_codes(const Real* v, Index count, kernel::Scalar<Real> scale, int limit, int mask,
                    std::uint8_t* codes) {
  best_round_to_codes<Real>()(v, count, scale, limit, mask, codes);
}
template decltype(round_to_codes<float>) round_to_codes<float>;
template decltype(round_to_codes<double>) round_to_codes<double>;

template <class Real>
void add_codes(const std::uint8_t* codes, Index count, int flipped, int zero,
               kernel::Scalar<Real> unit, Real* to) {
  best_add_codes<Real>()(codes, count, flipped, zero, unit, to);
}
template decltype(add_codes<float>) add_codes<float>;
template decltype(add_codes<double>) add_codes<double>;

template <class Real>
void choose_levels(const Real* v, Index count, const NormRatio& ratio, int levels, const Draw& draw,
                   Index first, std::uint8_t* codes) {
  const auto block = static_cast<std::uint32_t>(first / 4);
  best_choose_levels<Real>()(v, count, ratio, levels, philox_key(draw),
                             philox_counter(draw, Purpose::compression, block), codes);
}
template decltype(choose_levels<float>) choose_levels<float>;
template decltype(choose_levels<double>) choose_levels<double>;

}  // namespace codec
}  // namespace driftless
#endif
