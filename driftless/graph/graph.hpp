#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "driftless/base/types.hpp"

namespace driftless {

// Checked before memory is taken, so that a slip in a size is an error and not an exhausted
// machine.
inline constexpr NodeId max_nodes = 10'000'000;
inline constexpr std::int64_t max_edges = 100'000'000;

struct Edge {
  NodeId a = 0;
  NodeId b = 0;
};

// The smallest node that no path leads to from node 0; none if all are connected. Node i's
// neighbours are neighbours[start[i]] … neighbours[start[i + 1] − 1]; i itself may be among them.
std::optional<NodeId> unreachable_node(std::span<const std::size_t> start,
                                       std::span<const NodeId> neighbours);

// An undirected graph without self-loops and double edges.
class Graph {
 public:
  // Edges come in any order and direction; repeated ones are merged. A self-loop or an end outside
  // 0 … nodes − 1 throws ConfigError.
  Graph(NodeId nodes, const std::vector<Edge>& edges);

  NodeId nodes() const { return static_cast<NodeId>(start_.size()) - 1; }
  std::int64_t edges() const { return static_cast<std::int64_t>(neighbours_.size() / 2); }

  // Ascending, without i itself.
  std::span<const NodeId> neighbours(NodeId i) const {
    return std::span(neighbours_).subspan(start_[i], start_[i + 1] - start_[i]);
  }
  NodeId degree(NodeId i) const { return static_cast<NodeId>(start_[i + 1] - start_[i]); }
  NodeId max_degree() const;

  std::optional<NodeId> unreachable_node() const {
    return driftless::unreachable_node(start_, neighbours_);
  }
  bool is_connected() const { return !unreachable_node(); }

 private:
  std::vector<std::size_t> start_;  // node i's neighbours begin at start_[i]
  std::vector<NodeId> neighbours_;
};

}  // namespace driftless
