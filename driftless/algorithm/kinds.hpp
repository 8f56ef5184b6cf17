#pragma once

#include <span>
#include <string_view>

namespace driftless {

// A method by its config name, and the keys of [algorithm] it has beyond `local_rate`. A key that a
// method does not have is refused, never ignored.
struct AlgorithmKind {
  std::string_view name;
  std::string_view summary;
  bool local_steps = true;          // takes K > 1
  bool communication_rate = true;   // eta_s
  bool initial_correction = false;  // holds a correction that can start at zero or at the gradients
  bool global_every = false;        // averages over all nodes every H rounds
  bool lazy = false;                // can mix with (I + W)/2
};

std::span<const AlgorithmKind> algorithm_kinds();

// Null when there is no such method.
const AlgorithmKind* find_algorithm_kind(std::string_view name);

}  // namespace driftless
