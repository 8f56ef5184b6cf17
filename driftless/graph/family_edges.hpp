#pragma once

#include <vector>

#include "driftless/graph/families.hpp"

namespace driftless {

// The edges of the families that leave nothing to chance; all take resolved options. Small sizes
// need no case of their own: Graph merges the double edges of, say, a torus of two rows.

std::vector<Edge> path_edges(const TopologyOptions& options, int attempt);
std::vector<Edge> ring_edges(const TopologyOptions& options, int attempt);
std::vector<Edge> star_edges(const TopologyOptions& options, int attempt);
std::vector<Edge> complete_edges(const TopologyOptions& options, int attempt);
std::vector<Edge> torus_edges(const TopologyOptions& options, int attempt);
std::vector<Edge> hypercube_edges(const TopologyOptions& options, int attempt);
std::vector<Edge> exponential_edges(const TopologyOptions& options, int attempt);
std::vector<Edge> binary_tree_edges(const TopologyOptions& options, int attempt);
std::vector<Edge> barbell_edges(const TopologyOptions& options, int attempt);

// One drawing of a random family, connected or not: a pure function of the resolved options and of
// the attempt.

// Every pair is an edge with `edge_probability`, independently. Time O(nodes + edges).
std::vector<Edge> erdos_renyi_edges(const TopologyOptions& options, int attempt);

// Every node has `degree` neighbours; uniform in the limit of many nodes. Time O(edges).
std::vector<Edge> random_regular_edges(const TopologyOptions& options, int attempt);

// Nodes are uniform in the unit square, neighbours if within `radius`. Time O(nodes + edges).
std::vector<Edge> random_geometric_edges(const TopologyOptions& options, int attempt);

}  // namespace driftless
