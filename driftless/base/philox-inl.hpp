// The words of a draw, many blocks at a time, one block to a lane of a vector. Compiled once for
// each instruction set: a file of kernels includes this after <hwy/foreach_target.h>.

#if defined(DRIFTLESS_PHILOX_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef DRIFTLESS_PHILOX_INL_HPP
#undef DRIFTLESS_PHILOX_INL_HPP
#else
#define DRIFTLESS_PHILOX_INL_HPP
#endif

#include <hwy/highway.h>

#include <array>
#include <cstdint>

#include "driftless/base/random.hpp"

HWY_BEFORE_NAMESPACE();
namespace driftless::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// One block of a draw to a lane. The cap keeps a vector within one plane of a tile.
using Numbers = hn::CappedTag<double, normal_tile_blocks>;
using Bits = hn::RebindToUnsigned<Numbers>;
using NumberVec = hn::Vec<Numbers>;
using BitVec = hn::Vec<Bits>;
constexpr Index lanes = hn::MaxLanes(Numbers());
constexpr Index plane_vectors = normal_tile_blocks / lanes;

// The products of the low halves of the lanes.
HWY_INLINE BitVec low_product(BitVec a, std::uint32_t b) {
#if HWY_TARGET == HWY_SCALAR
  return hn::Set(Bits(), (hn::GetLane(a) & 0xFFFFFFFF) * b);
#else
  const hn::Repartition<std::uint32_t, Bits> halves;
  return hn::MulEven(hn::BitCast(halves, a), hn::Set(halves, b));
#endif
}

using RoundKeys = std::array<std::uint64_t, 20>;

// The keys of the ten rounds. A run has one seed, so each thread keeps those of the last one it
// used.
inline const RoundKeys& round_keys(PhiloxKey key) {
  struct Kept {
    bool made;
    PhiloxKey key;
    RoundKeys keys;
  };
  static thread_local Kept kept;
  if (!kept.made || kept.key != key) {
    kept.made = true;
    kept.key = key;
    for (std::size_t round = 0; round < 10; ++round) {
      kept.keys[2 * round] = key[0];
      kept.keys[2 * round + 1] = key[1];
      key[0] += 0x9E3779B9;
      key[1] += 0xBB67AE85;
    }
  }
  return kept.keys;
}

// The words of two tiles; words[k][b] is word k of block b, in its low half.
using Words = std::uint64_t[4][2 * normal_tile_blocks];

// Philox4x32-10 for `count` vectors of consecutive blocks, one block to a lane. A word is the low
// half of its lane; the high halves hold garbage, which no product reads.
template <int count>
HWY_NOINLINE void make_words(const PhiloxCounter& counter, const RoundKeys& keys, Words& words) {
  BitVec c[4][count];
  for (int i = 0; i < count; ++i) {
    const BitVec lane = hn::Iota(Bits(), static_cast<std::uint64_t>(i * lanes));
    c[0][i] = hn::Add(hn::Set(Bits(), counter[0]), lane);
    for (int k = 1; k < 4; ++k) c[k][i] = hn::Set(Bits(), counter[k]);
  }
#pragma GCC unroll 10
  for (std::size_t round = 0; round < 10; ++round) {
    for (int i = 0; i < count; ++i) {
      const BitVec product0 = low_product(c[0][i], 0xD2511F53);
      const BitVec product1 = low_product(c[2][i], 0xCD9E8D57);
      c[0][i] =
          hn::Xor(hn::Xor(c[1][i], hn::Set(Bits(), keys[2 * round])), hn::ShiftRight<32>(product1));
      c[2][i] = hn::Xor(hn::Xor(c[3][i], hn::Set(Bits(), keys[2 * round + 1])),
                        hn::ShiftRight<32>(product0));
      c[1][i] = product1;
      c[3][i] = product0;
    }
  }
  for (int k = 0; k < 4; ++k) {
    for (int i = 0; i < count; ++i) hn::Store(c[k][i], Bits(), words[k] + i * lanes);
  }
}

}  // namespace driftless::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
