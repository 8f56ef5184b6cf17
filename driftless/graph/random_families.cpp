#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_set>
#include <utility>

#include "driftless/base/random.hpp"
#include "driftless/graph/family_edges.hpp"

namespace driftless {
namespace {

// The numbers of one draw, in order.
class Numbers {
 public:
  explicit Numbers(const Draw& draw) : draw_(draw) {}

  std::uint32_t bits() {
    if (used_ == block_.size()) {
      block_ = words(draw_, Purpose::graph, next_block_++);
      used_ = 0;
    }
    return block_[used_++];
  }

  // In (0, 1], so that its logarithm is finite.
  double uniform() {
    const std::uint64_t high = bits();
    const std::uint64_t word = (high << 32) | bits();
    return static_cast<double>((word >> 11) + 1) * 0x1p-53;
  }

  // In 0 … bound − 1 without bias: the multiply-shift of Lemire (2019) with rejection.
  std::uint32_t below(std::uint32_t bound) {
    const std::uint32_t rejected = -bound % bound;
    while (true) {
      const std::uint64_t product = std::uint64_t{bits()} * bound;
      if (static_cast<std::uint32_t>(product) >= rejected) return product >> 32;
    }
  }

 private:
  Draw draw_;
  std::uint32_t next_block_ = 0;
  std::array<std::uint32_t, 4> block_{};
  std::size_t used_ = block_.size();
};

// The same for both directions of an edge.
std::uint64_t key_of(Edge edge) {
  const auto [low, high] = std::minmax(edge.a, edge.b);
  return (static_cast<std::uint64_t>(low) << 32) | static_cast<std::uint32_t>(high);
}

// The pairing model: shuffle `degree` stubs of every node and join them two by two. Self-loops and
// double edges, about degree²/4 of them, are repaired by exchanging ends with random good edges.
std::optional<std::vector<Edge>> pair_stubs(NodeId nodes, int degree, Numbers numbers) {
  std::vector<NodeId> stubs;
  stubs.reserve(static_cast<std::size_t>(nodes) * degree);
  for (NodeId i = 0; i < nodes; ++i) stubs.insert(stubs.end(), degree, i);
  for (std::size_t k = stubs.size(); k > 1; --k) {
    std::swap(stubs[k - 1], stubs[numbers.below(static_cast<std::uint32_t>(k))]);
  }

  std::vector<Edge> good;
  std::vector<Edge> bad;
  std::unordered_set<std::uint64_t> present;  // for membership alone: its order is never used
  for (std::size_t k = 0; k < stubs.size(); k += 2) {
    const Edge edge{stubs[k], stubs[k + 1]};
    (edge.a != edge.b && present.insert(key_of(edge)).second ? good : bad).push_back(edge);
  }

  constexpr int max_tries = 1000;
  for (const Edge edge : bad) {
    bool repaired = false;
    for (int tries = 0; tries < max_tries && !repaired && !good.empty(); ++tries) {
      Edge& other = good[numbers.below(static_cast<std::uint32_t>(good.size()))];
      const bool crossed = numbers.below(2) == 1;
      const Edge first{edge.a, crossed ? other.b : other.a};
      const Edge second{edge.b, crossed ? other.a : other.b};
      if (first.a == first.b || second.a == second.b || present.contains(key_of(first))) continue;
      if (!present.insert(key_of(second)).second) continue;
      if (!present.insert(key_of(first)).second) {  // both new edges are the same one
        present.erase(key_of(second));
        continue;
      }
      present.erase(key_of(other));
      other = first;
      good.push_back(second);
      repaired = true;
    }
    if (!repaired) return std::nullopt;
  }
  return good;
}

std::vector<Edge> complement(NodeId nodes, const std::vector<Edge>& edges) {
  const Graph graph(nodes, edges);
  std::vector<Edge> missing;
  for (NodeId i = 0; i < nodes; ++i) {
    const auto neighbours = graph.neighbours(i);
    auto next = std::upper_bound(neighbours.begin(), neighbours.end(), i);
    for (NodeId j = i + 1; j < nodes; ++j) {
      if (next != neighbours.end() && *next == j) {
        ++next;
      } else {
        missing.push_back({i, j});
      }
    }
  }
  return missing;
}

}  // namespace

std::vector<Edge> erdos_renyi_edges(const TopologyOptions& options, int attempt) {
  const double log_no_edge = std::log1p(-*options.edge_probability);
  std::vector<Edge> edges;
  for (NodeId i = 0; i < options.nodes; ++i) {
    Numbers numbers({.seed = options.seed, .node = i, .round = attempt});
    // The number of pairs skipped before the next edge is geometric.
    double j = i;
    while (true) {
      j += 1.0 + std::floor(std::log(numbers.uniform()) / log_no_edge);
      if (!(j < options.nodes)) break;
      edges.push_back({i, static_cast<NodeId>(j)});
    }
  }
  return edges;
}

std::vector<Edge> random_regular_edges(const TopologyOptions& options, int attempt) {
  const NodeId nodes = options.nodes;
  // Repair needs pairs that are no edges, so a dense graph is drawn as the complement of a sparse
  // one.
  const bool dense = *options.degree > (nodes - 1) / 2;
  const int degree = dense ? nodes - 1 - *options.degree : *options.degree;
  for (Step shuffle = 0;; ++shuffle) {
    const Numbers numbers({.seed = options.seed, .round = attempt, .step = shuffle});
    if (auto edges = pair_stubs(nodes, degree, numbers)) {
      return dense ? complement(nodes, *edges) : std::move(*edges);
    }
  }
}

std::vector<Edge> random_geometric_edges(const TopologyOptions& options, int attempt) {
  struct Point {
    double x, y;
  };
  const NodeId nodes = options.nodes;
  const double radius = *options.radius;
  std::vector<Point> points(nodes);
  for (NodeId i = 0; i < nodes; ++i) {
    Numbers numbers({.seed = options.seed, .node = i, .round = attempt});
    points[i].x = numbers.uniform();
    points[i].y = numbers.uniform();
  }

  // Cells at least a radius wide, at most one a node: neighbours lie in the 3 × 3 cells around.
  const int side =
      std::max(1, static_cast<int>(std::min(1.0 / radius, std::sqrt(static_cast<double>(nodes)))));
  const auto cell_of = [side](double coordinate) {
    return std::min(side - 1, static_cast<int>(coordinate * side));
  };
  std::vector<std::vector<NodeId>> cells(static_cast<std::size_t>(side) * side);
  const auto cell = [&](int row, int column) -> std::vector<NodeId>& {
    return cells[static_cast<std::size_t>(row) * side + column];
  };
  std::vector<Edge> edges;
  for (NodeId i = 0; i < nodes; ++i) {
    const int row = cell_of(points[i].y);
    const int column = cell_of(points[i].x);
    for (int r = std::max(0, row - 1); r <= std::min(side - 1, row + 1); ++r) {
      for (int c = std::max(0, column - 1); c <= std::min(side - 1, column + 1); ++c) {
        for (const NodeId j : cell(r, c)) {
          const double dx = points[i].x - points[j].x;
          const double dy = points[i].y - points[j].y;
          if (dx * dx + dy * dy <= radius * radius) edges.push_back({j, i});
        }
      }
    }
    cell(row, column).push_back(i);
  }
  return edges;
}

}  // namespace driftless
