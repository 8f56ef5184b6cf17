#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "driftless/base/random.hpp"

namespace driftless {

// A random order of 0 … count − 1, any place of which is computed without the others. The numbers
// are the cells of a nearly square table with as few cells beyond the count as can be. A Feistel
// network keyed by the draw moves a cell along its column by a random function of its column, then
// along its row by one of its row, and so on: each turn is one to one. A cell beyond the count is
// sent through again until it lies within (cycle walking), which keeps the whole one to one.
class ShuffledOrder {
 public:
  ShuffledOrder(std::uint32_t count, const Draw& draw, Purpose purpose = Purpose::batch)
      : count_(count), keys_() {
    // On a smaller table eight turns do not reach all orders equally often.
    const std::uint32_t cells = std::max<std::uint32_t>(count, 64);
    rows_ = static_cast<std::uint32_t>(std::sqrt(static_cast<double>(cells)));
    columns_ = (cells - 1) / rows_ + 1;
    for (std::uint32_t turn = 0; turn < turns; ++turn) {
      const auto [a, b, c, d] = words(draw, purpose, turn);
      keys_[turn] = {.factor = (std::uint64_t{a} << 32) | b | 1,
                     .offset = (std::uint64_t{c} << 32) | d};
    }
  }

  std::uint32_t operator[](std::uint32_t place) const {
    do {
      place = permute(place);
    } while (place >= count_);
    return place;
  }

 private:
  struct Key {
    std::uint64_t factor;
    std::uint64_t offset;
  };
  static constexpr std::size_t turns = 8;

  std::uint32_t permute(std::uint32_t cell) const {
    std::uint32_t row = cell / columns_;
    std::uint32_t column = cell % columns_;
    for (std::size_t turn = 0; turn < turns; turn += 2) {
      row = move(row, column, keys_[turn], rows_);
      column = move(column, row, keys_[turn + 1], columns_);
    }
    return row * columns_ + column;
  }

  static std::uint32_t move(std::uint32_t from, std::uint64_t by, const Key& key,
                            std::uint32_t places) {
    std::uint64_t mixed = by * key.factor + key.offset;
    mixed = (mixed ^ (mixed >> 32)) * 0x9E3779B97F4A7C15;  // 2^64 over the golden ratio
    const auto step = static_cast<std::uint32_t>(((mixed >> 32) * places) >> 32);
    const std::uint32_t to = from + step;
    return to < places ? to : to - places;
  }

  std::uint32_t count_;
  std::uint32_t rows_;
  std::uint32_t columns_;
  std::array<Key, turns> keys_;
};

}  // namespace driftless
