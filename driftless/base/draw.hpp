#pragma once

#include <array>
#include <cstdint>

#include "driftless/base/types.hpp"

namespace driftless {

// What a draw is for. Two purposes never share a number, whatever else they have in common.
enum class Purpose : std::uint8_t {
  gradient_noise = 1,
  problem_data = 2,
  graph = 3,
  split = 4,  // which node has which sample
  batch = 5,  // which samples a step sees
  dropout = 6,
  initial_model = 7,
  validation = 8,   // which samples of a node are held out
  compression = 9,  // what a codec draws
  weather = 10,     // what is down, late or slow in a round
};

// Names one random draw. Every number is a pure function of (seed, node, round, step, purpose) and
// of its place in the draw: Philox4x32-10 (Salmon et al., SC'11) is keyed by the seed and counts
// over the rest. Nothing is advanced, so threads, ranks and resumed runs see the same numbers.
struct Draw {
  std::uint64_t seed = 0;
  NodeId node = 0;
  Round round = 0;
  Step step = 0;
};

using PhiloxKey = std::array<std::uint32_t, 2>;
using PhiloxCounter = std::array<std::uint32_t, 4>;

inline PhiloxKey philox_key(const Draw& draw) {
  return {static_cast<std::uint32_t>(draw.seed), static_cast<std::uint32_t>(draw.seed >> 32)};
}

// Word 0 counts the blocks of four numbers within the draw; a step has 24 bits, a purpose 8.
inline PhiloxCounter philox_counter(const Draw& draw, Purpose purpose, std::uint32_t block) {
  return {block, static_cast<std::uint32_t>(draw.node), static_cast<std::uint32_t>(draw.round),
          (static_cast<std::uint32_t>(draw.step) << 8) | static_cast<std::uint32_t>(purpose)};
}

}  // namespace driftless
