#include "driftless/algorithm/kinds.hpp"

#include <algorithm>
#include <array>

namespace driftless {

std::span<const AlgorithmKind> algorithm_kinds() {
  static constexpr auto kinds = std::to_array<AlgorithmKind>({
      {.name = "k-gt",
       .summary = "gradient tracking with K corrected local steps a round",
       .initial_correction = true},
      {.name = "d-sgd",
       .summary = "decentralized SGD: K local steps, then averaging with the neighbours"},
      {.name = "gt",
       .summary = "gradient tracking, one step a round",
       .local_steps = false,
       .initial_correction = true},
      {.name = "periodical-gt",
       .summary = "gradient tracking that communicates every K-th step only",
       .initial_correction = true},
      {.name = "periodical-gt-full",
       .summary = "periodical GT with a full gradient at every communication",
       .initial_correction = true},
      {.name = "large-batch-gt",
       .summary = "gradient tracking on the sum of K gradients at one point",
       .initial_correction = true},
      {.name = "large-batch-d-sgd",
       .summary = "decentralized SGD on the sum of K gradients at one point"},
      {.name = "scaffold",
       .summary = "corrected local steps through a server, all nodes in every round",
       .initial_correction = true},
      {.name = "gossip-pga",
       .summary = "decentralized SGD with a global average every H rounds",
       .global_every = true},
      {.name = "d2",
       .summary = "D^2: removes the bias of decentralized SGD with the last two gradients",
       .local_steps = false,
       .lazy = true},
      {.name = "fedavg",
       .summary = "local SGD through a server: K steps, then the average of all nodes"},
      {.name = "exact-diffusion",
       .summary = "D-SGD with the bias of the previous round taken back, mixing with (I + W)/2",
       .local_steps = false},
      {.name = "led",
       .summary = "local exact diffusion: K local steps with a dual correction, one vector an edge",
       .communication_rate = false,
       .lazy = true},
  });
  return kinds;
}

const AlgorithmKind* find_algorithm_kind(std::string_view name) {
  const auto kinds = algorithm_kinds();
  const auto found = std::ranges::find(kinds, name, &AlgorithmKind::name);
  return found == kinds.end() ? nullptr : &*found;
}

}  // namespace driftless
