#pragma once

#include "driftless/base/types.hpp"

namespace driftless {

// The nodes a process hosts: first … last − 1.
struct NodeRange {
  NodeId first = 0;
  NodeId last = 0;
  NodeId size() const { return last - first; }
  bool operator==(const NodeRange&) const = default;
};

// Part k of `parts` contiguous parts of the nodes, which differ by one node at most.
inline NodeRange part_of(NodeId nodes, int parts, int k) {
  const auto begin = [&](Index part) { return static_cast<NodeId>(Index{nodes} * part / parts); };
  return {begin(k), begin(Index{k} + 1)};
}

// One vector of d numbers for each hosted node, contiguous; rows[i] is the vector of node i.
template <class Real>
class Rows {
 public:
  Rows() = default;
  Rows(NodeRange hosted, Index dim) : hosted_(hosted), values_(Matrix::Zero(hosted.size(), dim)) {}

  NodeRange hosted() const { return hosted_; }
  Index dim() const { return values_.cols(); }

  Eigen::Map<Vector<Real>> operator[](NodeId node) { return {row(node), dim()}; }
  Eigen::Map<const Vector<Real>> operator[](NodeId node) const { return {row(node), dim()}; }

  Real* row(NodeId node) { return values_.data() + (node - hosted_.first) * dim(); }
  const Real* row(NodeId node) const { return values_.data() + (node - hosted_.first) * dim(); }

 private:
  using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  NodeRange hosted_;
  Matrix values_;  // hosted nodes × d
};

}  // namespace driftless
