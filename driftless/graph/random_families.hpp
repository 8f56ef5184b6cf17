#pragma once

#include <vector>

#include "driftless/graph/families.hpp"

namespace driftless {

// One drawing of a random family, connected or not: a pure function of the resolved options and of
// the attempt.

// Every pair is an edge with `edge_probability`, independently. Time O(nodes + edges).
std::vector<Edge> erdos_renyi_edges(const TopologyOptions& options, int attempt);

// Every node has `degree` neighbours; uniform in the limit of many nodes. Time O(edges).
std::vector<Edge> random_regular_edges(const TopologyOptions& options, int attempt);

// Nodes are uniform in the unit square, neighbours if within `radius`. Time O(nodes + edges).
std::vector<Edge> random_geometric_edges(const TopologyOptions& options, int attempt);

}  // namespace driftless
