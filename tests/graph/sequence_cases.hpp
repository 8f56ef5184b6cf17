#pragma once

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "driftless/graph/link_sequence.hpp"

namespace driftless::testing {

inline WeightRows rows_of(const LinkSequence& sequence, Round t) {
  WeightRows rows;
  sequence.links(t, rows);
  return rows;
}

inline Eigen::MatrixXd dense(const WeightRows& rows) {
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(rows.size(), rows.size());
  for (NodeId i = 0; i < rows.size(); ++i) {
    const auto [nodes, weights] = rows.row(i);
    for (std::size_t k = 0; k < nodes.size(); ++k) matrix(i, nodes[k]) = weights[k];
  }
  return matrix;
}

inline Eigen::MatrixXd dense(const LinkSequence& sequence, Round t) {
  return dense(rows_of(sequence, t));
}

// W_{T−1} … W_0 of all rounds of a period.
inline Eigen::MatrixXd product_of_period(const LinkSequence& sequence) {
  Eigen::MatrixXd product = Eigen::MatrixXd::Identity(sequence.nodes(), sequence.nodes());
  for (Round t = 0; t < sequence.period(); ++t) product = dense(sequence, t) * product;
  return product;
}

// 1 − the largest eigenvalue of a symmetric matrix on vectors of zero mean, which it keeps.
inline double one_less_largest(const Eigen::MatrixXd& square) {
  const Eigen::MatrixXd rest = square.array() - 1.0 / static_cast<double>(square.rows());
  return 1 - Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(rest).eigenvalues().maxCoeff();
}

// Symmetric and doubly stochastic, rows ascending with the diagonal there, no other weight zero;
// returns the most links of a node.
inline NodeId expect_links_of_a_round(const WeightRows& rows, NodeId nodes) {
  EXPECT_EQ(rows.size(), nodes);
  NodeId most = 0;
  for (NodeId i = 0; i < rows.size(); ++i) {
    const auto [columns, weights] = rows.row(i);
    double sum = 0;
    bool has_diagonal = false;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      EXPECT_TRUE(k == 0 || columns[k - 1] < columns[k]) << "row " << i;
      if (columns[k] == i) {
        has_diagonal = true;
        EXPECT_GE(weights[k], 0);
      } else {
        EXPECT_GT(weights[k], 0);
      }
      sum += weights[k];
    }
    EXPECT_TRUE(has_diagonal) << "row " << i;
    EXPECT_NEAR(sum, 1, 1e-14) << "row " << i;
    most = std::max(most, static_cast<NodeId>(columns.size()) - 1);
  }
  const Eigen::MatrixXd matrix = dense(rows);
  EXPECT_EQ(matrix, matrix.transpose());
  return most;
}

}  // namespace driftless::testing
