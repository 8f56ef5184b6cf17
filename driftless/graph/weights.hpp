#pragma once

#include <span>
#include <string_view>

#include "driftless/graph/graph.hpp"
#include "driftless/graph/mixing_matrix.hpp"

namespace driftless {

// The weight that a node gives to each neighbour. It gives the rest, up to 1, to itself.
enum class Weights {
  metropolis,       // w_ij = 1 / (1 + max(degree i, degree j)), Metropolis–Hastings
  max_degree,       // w_ij = 1 / (1 + largest degree)
  lazy_metropolis,  // (I + W) / 2 of the above
  lazy_max_degree,
};

struct WeightsEntry {
  Weights weights;
  std::string_view name;
  std::string_view description;
};

std::span<const WeightsEntry> weights_table();

std::string_view weights_name(Weights weights);
// Throws ConfigError for an unknown name.
Weights weights_from_name(std::string_view name);

// Throws DataError if the graph is not connected.
MixingMatrix make_mixing(const Graph& graph, Weights weights);

}  // namespace driftless
