#pragma once

#include "driftless/base/hosting.hpp"

namespace driftless {

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
