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
  bool none() const { return count_ == 0; }
  void throw_if_any(std::string_view name) const {
    if (none()) return;
    const std::size_t more = count_ - faults_.size();
    throw DataError(fmt::format("{}: {}{} (rows and columns count from 0)", name,
                                fmt::join(faults_, "; "),
                                more == 0 ? "" : fmt::format("; and {} more faults", more)));
  }

 private:
  std::vector<std::string> faults_;
  std::size_t count_ = 0;
};

bool has_diagonal_and_no_zeros(const WeightRows& rows) {
  const auto n = static_cast<NodeId>(rows.start.size()) - 1;
  for (NodeId i = 0; i < n; ++i) {
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
  const auto n = static_cast<NodeId>(given.start.size()) - 1;
  WeightRows rows;
  rows.start.reserve(given.start.size());
  rows.nodes.reserve(given.nodes.size());
  rows.weights.reserve(given.weights.size());
  const auto append = [&rows](NodeId node, double weight) {
    rows.nodes.push_back(node);
    rows.weights.push_back(weight);
  };
  rows.start.push_back(0);
  for (NodeId i = 0; i < n; ++i) {
    std::size_t k = given.start[i];
    const std::size_t end = given.start[i + 1];
    for (; k < end && given.nodes[k] < i; ++k) {
      if (given.weights[k] != 0) append(given.nodes[k], given.weights[k]);
    }
    const bool has_diagonal = k < end && given.nodes[k] == i;
    append(i, has_diagonal ? given.weights[k++] : 0.0);
    for (; k < end; ++k) {
      if (given.weights[k] != 0) append(given.nodes[k], given.weights[k]);
    }
    rows.start.push_back(rows.nodes.size());
  }
  return rows;
}

void check_structure(const WeightRows& rows, std::string_view name) {
  if (rows.start.size() < 2 || rows.start.size() > std::size_t{max_nodes} + 1 ||
      rows.start.front() != 0 || rows.start.back() != rows.nodes.size() ||
      rows.nodes.size() != rows.weights.size() ||
      !std::is_sorted(rows.start.begin(), rows.start.end())) {
    throw DataError(
        fmt::format("{}: its compressed rows do not fit together, or their number is "
                    "not from 1 to {}",
                    name, max_nodes));
  }
  const auto n = static_cast<NodeId>(rows.start.size()) - 1;
  for (NodeId i = 0; i < n; ++i) {
    NodeId previous = -1;
    for (std::size_t k = rows.start[i]; k < rows.start[i + 1]; ++k) {
      if (rows.nodes[k] <= previous || rows.nodes[k] >= n) {
        throw DataError(
            fmt::format("{}: row {}: column {} after {}: expected ascending columns from 0 to {}",
                        name, i, rows.nodes[k], previous, n - 1));
      }
      previous = rows.nodes[k];
    }
  }
}

// Looks up the entry (j, i) for every entry (i, j). The caller asks in ascending order of i, so
// each row is walked once.
class Mirror {
 public:
  explicit Mirror(const WeightRows& rows)
      : rows_(rows), next_(rows.start.begin(), rows.start.end() - 1) {}

  // 0 where there is no entry.
  double weight(NodeId i, NodeId j) {
    std::size_t& k = next_[j];
    while (k < rows_.start[j + 1] && rows_.nodes[k] < i) ++k;
    return k < rows_.start[j + 1] && rows_.nodes[k] == i ? rows_.weights[k] : 0.0;
  }

 private:
  const WeightRows& rows_;
  std::vector<std::size_t> next_;
};

void check_weights(const WeightRows& rows, std::string_view name) {
  const auto n = static_cast<NodeId>(rows.start.size()) - 1;
  Faults faults;
  Mirror mirror(rows);
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
      const double mirrored = mirror.weight(i, j);
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

void check_connected(const WeightRows& rows, std::string_view name) {
  if (const auto node = unreachable_node(rows.start, rows.nodes)) {
    throw DataError(
        fmt::format("{}: not connected: no path of positive weights leads from node 0 to node {}, "
                    "so the nodes would never agree",
                    name, *node));
  }
}

}  // namespace

MixingMatrix::MixingMatrix(WeightRows rows, std::string_view name) {
  check_structure(rows, name);
  rows_ = with_diagonal_without_zeros(std::move(rows));
  check_weights(rows_, name);
  check_connected(rows_, name);
  const auto n = static_cast<NodeId>(rows_.start.size()) - 1;
  diagonal_.reserve(n);
  for (NodeId i = 0; i < n; ++i) {
    const auto ids =
        std::span(rows_.nodes).subspan(rows_.start[i], rows_.start[i + 1] - rows_.start[i]);
    diagonal_.push_back(rows_.start[i] +
                        (std::lower_bound(ids.begin(), ids.end(), i) - ids.begin()));
  }
}

MixingMatrix MixingMatrix::from_dense(const Eigen::Ref<const Eigen::MatrixXd>& matrix,
                                      std::string_view name) {
  if (matrix.rows() != matrix.cols() || matrix.rows() == 0) {
    throw DataError(fmt::format("{}: found {} rows and {} columns, expected a square matrix", name,
                                matrix.rows(), matrix.cols()));
  }
  const auto n = static_cast<NodeId>(matrix.rows());
  WeightRows rows;
  rows.start.push_back(0);
  for (NodeId i = 0; i < n; ++i) {
    for (NodeId j = 0; j < n; ++j) {
      if (matrix(i, j) == 0) continue;
      rows.nodes.push_back(j);
      rows.weights.push_back(matrix(i, j));
    }
    rows.start.push_back(rows.nodes.size());
  }
  return MixingMatrix(std::move(rows), name);
}

std::int64_t MixingMatrix::edges() const {
  return (static_cast<std::int64_t>(rows_.nodes.size()) - nodes()) / 2;
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
