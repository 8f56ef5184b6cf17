#include "driftless/graph/graph.hpp"

#include <algorithm>
#include <numeric>

#include "driftless/base/error.hpp"

namespace driftless {
namespace {

void check(NodeId nodes, const std::vector<Edge>& edges) {
  if (nodes < 1 || nodes > max_nodes) {
    throw ConfigError("a graph of {} nodes: expected 1 to {}", nodes, max_nodes);
  }
  if (std::ssize(edges) > max_edges) {
    throw ConfigError("a graph of {} edges: expected at most {}", edges.size(), max_edges);
  }
  for (const auto [a, b] : edges) {
    if (a < 0 || a >= nodes || b < 0 || b >= nodes) {
      throw ConfigError("edge {} {}: expected node ids from 0 to {}", a, b, nodes - 1);
    }
    if (a == b) throw ConfigError("edge {} {}: a node is not its own neighbour", a, b);
  }
}

}  // namespace

Graph::Graph(NodeId nodes, const std::vector<Edge>& edges) {
  check(nodes, edges);
  start_.assign(nodes + 1, 0);
  for (const auto [a, b] : edges) {
    ++start_[a + 1];
    ++start_[b + 1];
  }
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
  neighbours_.resize(2 * edges.size());
  std::vector<std::size_t> end(start_.begin(), start_.end() - 1);
  for (const auto [a, b] : edges) {
    neighbours_[end[a]++] = b;
    neighbours_[end[b]++] = a;
  }

  // Sort every list and close the holes that merged edges leave.
  auto kept = neighbours_.begin();
  for (NodeId i = 0; i < nodes; ++i) {
    const auto first = neighbours_.begin() + static_cast<std::ptrdiff_t>(start_[i]);
    const auto last = neighbours_.begin() + static_cast<std::ptrdiff_t>(end[i]);
    std::sort(first, last);
    start_[i] = kept - neighbours_.begin();
    kept = std::unique_copy(first, last, kept);
  }
  start_[nodes] = kept - neighbours_.begin();
  neighbours_.erase(kept, neighbours_.end());
}

NodeId Graph::max_degree() const {
  NodeId largest = 0;
  for (NodeId i = 0; i < nodes(); ++i) largest = std::max(largest, degree(i));
  return largest;
}

std::optional<NodeId> unreachable_node(std::span<const std::size_t> start,
                                       std::span<const NodeId> neighbours) {
  std::vector<bool> reached(start.size() - 1, false);
  std::vector<NodeId> frontier{0};
  reached[0] = true;
  while (!frontier.empty()) {
    const NodeId i = frontier.back();
    frontier.pop_back();
    for (const NodeId j : neighbours.subspan(start[i], start[i + 1] - start[i])) {
      if (!reached[j]) {
        reached[j] = true;
        frontier.push_back(j);
      }
    }
  }
  const auto missed = std::ranges::find(reached, false);
  if (missed == reached.end()) return std::nullopt;
  return static_cast<NodeId>(missed - reached.begin());
}

}  // namespace driftless
