#pragma once

#include "driftless/base/named.hpp"
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

template <>
inline constexpr auto values_of<Weights> = std::to_array<Named<Weights>>({
    {Weights::metropolis, "metropolis", "1 / (1 + the larger degree of the two)"},
    {Weights::max_degree, "max_degree", "1 / (1 + the largest degree of all)"},
    {Weights::lazy_metropolis, "lazy_metropolis", "(I + W) / 2 of metropolis"},
    {Weights::lazy_max_degree, "lazy_max_degree", "(I + W) / 2 of max_degree"},
});

// Throws DataError if the graph is not connected.
MixingMatrix make_mixing(const Graph& graph, Weights weights);

}  // namespace driftless
