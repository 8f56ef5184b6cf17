#include "driftless/graph/family_edges.hpp"

namespace driftless {
namespace {

void add_clique(NodeId first, NodeId last, std::vector<Edge>& edges) {
  for (NodeId i = first; i < last; ++i) {
    for (NodeId j = i + 1; j < last; ++j) edges.push_back({i, j});
  }
}

// Every node but 0 is joined to its parent.
template <class Parent>
std::vector<Edge> tree(NodeId nodes, Parent parent_of) {
  std::vector<Edge> edges;
  for (NodeId i = 1; i < nodes; ++i) edges.push_back({parent_of(i), i});
  return edges;
}

}  // namespace

std::vector<Edge> path_edges(const TopologyOptions& options, int /*attempt*/) {
  return tree(options.nodes, [](NodeId i) { return i - 1; });
}

std::vector<Edge> ring_edges(const TopologyOptions& options, int attempt) {
  auto edges = path_edges(options, attempt);
  if (options.nodes > 2) edges.push_back({options.nodes - 1, 0});
  return edges;
}

std::vector<Edge> star_edges(const TopologyOptions& options, int /*attempt*/) {
  return tree(options.nodes, [](NodeId) { return 0; });
}

std::vector<Edge> complete_edges(const TopologyOptions& options, int /*attempt*/) {
  std::vector<Edge> edges;
  add_clique(0, options.nodes, edges);
  return edges;
}

std::vector<Edge> torus_edges(const TopologyOptions& options, int /*attempt*/) {
  const int rows = *options.rows;
  const int columns = *options.columns;
  std::vector<Edge> edges;
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      const NodeId here = row * columns + column;
      const NodeId right = row * columns + (column + 1) % columns;
      const NodeId below = (row + 1) % rows * columns + column;
      if (right != here) edges.push_back({here, right});
      if (below != here) edges.push_back({here, below});
    }
  }
  return edges;
}

std::vector<Edge> hypercube_edges(const TopologyOptions& options, int /*attempt*/) {
  std::vector<Edge> edges;
  for (NodeId i = 0; i < options.nodes; ++i) {
    for (NodeId bit = 1; bit < options.nodes; bit *= 2) {
      if ((i & bit) == 0) edges.push_back({i, i | bit});
    }
  }
  return edges;
}

std::vector<Edge> exponential_edges(const TopologyOptions& options, int /*attempt*/) {
  std::vector<Edge> edges;
  for (NodeId i = 0; i < options.nodes; ++i) {
    for (NodeId hop = 1; hop < options.nodes; hop *= 2) {
      edges.push_back({i, (i + hop) % options.nodes});
    }
  }
  return edges;
}

std::vector<Edge> binary_tree_edges(const TopologyOptions& options, int /*attempt*/) {
  return tree(options.nodes, [](NodeId i) { return (i - 1) / 2; });
}

std::vector<Edge> barbell_edges(const TopologyOptions& options, int /*attempt*/) {
  const NodeId half = (options.nodes + 1) / 2;
  std::vector<Edge> edges;
  add_clique(0, half, edges);
  add_clique(half, options.nodes, edges);
  if (half < options.nodes) edges.push_back({half - 1, half});
  return edges;
}

}  // namespace driftless
