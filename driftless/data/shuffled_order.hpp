#pragma once

#include <array>
#include <cstdint>

#include "driftless/base/draw.hpp"

namespace driftless {

// A random order of 0 … count − 1, any place of which is computed without the others: a Feistel
// network on the fewest bits that hold the count, keyed by the draw. It permutes a power of two; a
// number that falls beyond the count is sent through again until it falls within (cycle walking),
// which keeps the map one to one and takes less than two turns on average.
class ShuffledOrder {
 public:
  ShuffledOrder(std::uint32_t count, const Draw& draw);

  std::uint32_t operator[](std::uint32_t place) const {
    do place = permute(place);
    while (place >= count_);
    return place;
  }

 private:
  struct Key {
    std::uint64_t factor;
    std::uint64_t offset;
  };
  static constexpr std::size_t turns = 8;

  std::uint32_t permute(std::uint32_t value) const {
    std::uint32_t high = value >> low_bits_;
    std::uint32_t low = value & low_mask_;
    for (std::size_t turn = 0; turn < turns; turn += 2) {
      high ^= scramble(low, keys_[turn]) & high_mask_;
      low ^= scramble(high, keys_[turn + 1]) & low_mask_;
    }
    return (high << low_bits_) | low;
  }

  // Any function of both will do for a permutation; multiplying twice makes the bits of its middle
  // depend on all bits of half and key.
  static std::uint32_t scramble(std::uint64_t half, const Key& key) {
    std::uint64_t mixed = half * key.factor + key.offset;
    mixed = (mixed ^ (mixed >> 32)) * 0x9E3779B97F4A7C15;  // 2^64 over the golden ratio
    return static_cast<std::uint32_t>(mixed >> 32);
  }

  std::uint32_t count_;
  unsigned low_bits_;
  std::uint32_t low_mask_;
  std::uint32_t high_mask_;
  std::array<Key, turns> keys_;
};

}  // namespace driftless
