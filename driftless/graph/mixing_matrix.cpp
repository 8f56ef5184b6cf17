#include "driftless/graph/mixing_matrix.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "driftless/base/error.hpp"
#include "driftless/graph/compensated_sum.hpp"

namespace driftless {
namespace {

constexpr double tolerance = 1e-12;

// Collects faults; the first few are told, all are counted.
class Faults {
 public:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    constexpr std::size_t told = 5;
    if (faults_.size() < told) faults_.push_back(fmt::format(format, std::forward<Args>(args)...));
    ++count_;
  }
  void throw_if_any(std::string_view name) const {
    if (count_ == 0) return;
    const std::size_t more = count_ - faults_.size();
    throw DataError("{}: {}{} (rows and columns count from 0)", name, fmt::join(faults_, "; "),
                    more == 0 ? "" : fmt::format("; and {} more faults", more));
  }

 private:
  std::vector<std::string> faults_;
  std::size_t count_ = 0;
};

bool has_diagonal_and_no_zeros(const WeightRows& rows) {
  for (NodeId i = 0; i < rows.size(); ++i) {
    bool has_diagonal = false;
    for (std::size_t k = rows.start[i]; k < rows.start[i + 1]; ++k) {
      if (rows.nodes[k] == i) {
        has_diagonal = true;
      } else if (rows.weights[k] == 0) {
        return false;
      }
    }
    if (!has_diagonal) return false;
  }
  return true;
}

WeightRows with_diagonal_without_zeros(WeightRows given) {
  if (has_diagonal_and_no_zeros(given)) return given;
  WeightRows rows;
  for (NodeId i = 0; i < given.size(); ++i) {
    std::size_t k = given.start[i];
    const auto add_until = [&](NodeId end) {
      for (; k < given.start[i + 1] && given.nodes[k] < end; ++k) {
        if (given.weights[k] != 0) rows.add(given.nodes[k], given.weights[k]);
      }
    };
    add_until(i);
    const bool has_diagonal = k < given.start[i + 1] && given.nodes[k] == i;
    rows.add(i, has_diagonal ? given.weights[k++] : 0.0);
    add_until(given.size());
    rows.end_row();
  }
  return rows;
}

void check_structure(const WeightRows& rows, std::string_view name) {
  if (rows.start.size() < 2 || rows.start.size() > std::size_t{max_nodes} + 1 ||
      rows.start.front() != 0 || rows.start.back() != rows.nodes.size() ||
      rows.nodes.size() != rows.weights.size() || !std::ranges::is_sorted(rows.start)) {
    throw DataError(
        "{}: its compressed rows do not fit together, or their number is not from 1 to {}", name,
        max_nodes);
  }
  for (NodeId i = 0; i < rows.size(); ++i) {
    NodeId previous = -1;
    for (std::size_t k = rows.start[i]; k < rows.start[i + 1]; ++k) {
      if (rows.nodes[k] <= previous || rows.nodes[k] >= rows.size()) {
        throw DataError("{}: row {}: column {} after {}: expected ascending columns from 0 to {}",
                        name, i, rows.nodes[k], previous, rows.size() - 1);
      }
      previous = rows.nodes[k];
    }
  }
}

void check_weights(const WeightRows& rows, std::string_view name) {
  const NodeId n = rows.size();
  Faults faults;
  // The entry (j, i), or 0 where there is none. It is asked for in ascending order of i, so each
  // row is walked once.
  std::vector<std::size_t> next(rows.start.begin(), rows.start.end() - 1);
  const auto mirror = [&](NodeId i, NodeId j) {
    std::size_t& k = next[j];
    while (k < rows.start[j + 1] && rows.nodes[k] < i) ++k;
    return k < rows.start[j + 1] && rows.nodes[k] == i ? rows.weights[k] : 0.0;
  };
  std::vector<CompensatedSum> columns(n);
  for (NodeId i = 0; i < n; ++i) {
    CompensatedSum row;
    for (std::size_t k = rows.start[i]; k < rows.start[i + 1]; ++k) {
      const NodeId j = rows.nodes[k];
      const double weight = rows.weights[k];
      if (!std::isfinite(weight)) {
        faults.add("row {}: the weight of column {} is {}", i, j, weight);
      } else if (weight < 0) {
        faults.add("row {}: the weight of column {} is {}, negative", i, j, weight);
      }
      // A weight without a counterpart is a fault however small: messages go both ways.
      const double mirrored = mirror(i, j);
      if (std::abs(weight - mirrored) > tolerance || (mirrored == 0) != (weight == 0)) {
        if (j > i || mirrored == 0) {
          faults.add("row {}: not symmetric: entry ({}, {}) is {} but ({}, {}) is {}", i, i, j,
                     weight, j, i, mirrored);
        }
      }
      row.add(weight);
      columns[j].add(weight);
    }
    if (std::abs(row.value() - 1) > tolerance) {
      faults.add("row {} sums to {}, expected 1 within 1e-12", i, row.value());
    }
  }
  for (NodeId j = 0; j < n; ++j) {
    if (std::abs(columns[j].value() - 1) > tolerance) {
      faults.add("column {} sums to {}, expected 1 within 1e-12", j, columns[j].value());
    }
  }
  faults.throw_if_any(name);
}

}  // namespace

MixingMatrix::MixingMatrix(WeightRows rows, std::string_view name) {
  check_structure(rows, name);
  rows_ = with_diagonal_without_zeros(std::move(rows));
  check_weights(rows_, name);
  if (const auto node = unreachable_node(rows_.start, rows_.nodes)) {
    throw DataError(
        "{}: not connected: no path of positive weights leads from node 0 to node {}, so the nodes "
        "would never agree",
        name, *node);
  }
  diagonal_.reserve(rows_.size());
  for (NodeId i = 0; i < rows_.size(); ++i) {
    diagonal_.push_back(rows_.start[i] +
                        (std::ranges::lower_bound(row(i).nodes, i) - row(i).nodes.begin()));
  }
}

MixingMatrix MixingMatrix::from_dense(const Eigen::Ref<const Eigen::MatrixXd>& matrix,
                                      std::string_view name) {
  if (matrix.rows() != matrix.cols() || matrix.rows() == 0) {
    throw DataError("{}: found {} rows and {} columns, expected a square matrix", name,
                    matrix.rows(), matrix.cols());
  }
  const auto n = static_cast<NodeId>(matrix.rows());
  WeightRows rows;
  for (NodeId i = 0; i < n; ++i) {
    for (NodeId j = 0; j < n; ++j) {
      if (matrix(i, j) != 0) rows.add(j, matrix(i, j));
    }
    rows.end_row();
  }
  return MixingMatrix(std::move(rows), name);
}

NodeId MixingMatrix::max_degree() const {
  NodeId largest = 0;
  for (NodeId i = 0; i < nodes(); ++i) largest = std::max(largest, degree(i));
  return largest;
}

MixingMatrix MixingMatrix::lazy() const {
  MixingMatrix result = *this;
  for (double& weight : result.rows_.weights) weight /= 2;
  for (const std::size_t k : diagonal_) result.rows_.weights[k] += 0.5;
  return result;
}

Eigen::MatrixXd MixingMatrix::to_dense() const {
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(nodes(), nodes());
  for (NodeId i = 0; i < nodes(); ++i) {
    const Row entries = row(i);
    for (std::size_t k = 0; k < entries.nodes.size(); ++k) {
      dense(i, entries.nodes[k]) = entries.weights[k];
    }
  }
  return dense;
}

}  // namespace driftless
