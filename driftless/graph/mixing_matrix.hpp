#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "driftless/graph/graph.hpp"

namespace driftless {

// The rows of a square matrix in compressed form: row i has the columns nodes[start[i]] …
// nodes[start[i + 1] − 1], ascending.
struct WeightRows {
  std::vector<std::size_t> start{0};
  std::vector<NodeId> nodes{};
  std::vector<double> weights{};

  struct Row {
    std::span<const NodeId> nodes;  // ascending
    std::span<const double> weights;
  };

  NodeId size() const { return static_cast<NodeId>(start.size()) - 1; }
  Row row(NodeId i) const {
    const std::size_t first = start[i];
    const std::size_t count = start[i + 1] - first;
    return {std::span(nodes).subspan(first, count), std::span(weights).subspan(first, count)};
  }
  // Rows are filled one after the other.
  void add(NodeId column, double weight) {
    nodes.push_back(column);
    weights.push_back(weight);
  }
  void end_row() { start.push_back(nodes.size()); }
};

// W of the paper: node i replaces its vector by Σ_j w_ij x_j. Symmetric, non-negative, every row
// and column sums to 1 (each within 1e-12), and positive weights connect all nodes.
class MixingMatrix {
 public:
  // A row with its diagonal entry, which is there even if its weight is zero. All other weights are
  // positive.
  using Row = WeightRows::Row;

  // Adds missing diagonal entries and drops zero weights elsewhere. Throws DataError that names the
  // faults with their rows; `name` begins the message.
  explicit MixingMatrix(WeightRows rows, std::string_view name = "mixing matrix");
  static MixingMatrix from_dense(const Eigen::Ref<const Eigen::MatrixXd>& matrix,
                                 std::string_view name = "mixing matrix");

  NodeId nodes() const { return static_cast<NodeId>(diagonal_.size()); }
  // Unordered pairs of neighbours.
  std::int64_t edges() const {
    return (static_cast<std::int64_t>(rows_.nodes.size()) - nodes()) / 2;
  }

  const WeightRows& rows() const { return rows_; }
  Row row(NodeId i) const { return rows_.row(i); }
  double self_weight(NodeId i) const { return rows_.weights[diagonal_[i]]; }
  // Neighbours, the node itself not counted.
  NodeId degree(NodeId i) const {
    return static_cast<NodeId>(rows_.start[i + 1] - rows_.start[i]) - 1;
  }
  NodeId max_degree() const;

  // (I + W) / 2: the same neighbours, and no eigenvalue below zero.
  MixingMatrix lazy() const;

  Eigen::MatrixXd to_dense() const;

 private:
  WeightRows rows_;
  std::vector<std::size_t> diagonal_;  // where row i holds its own weight
};

}  // namespace driftless
