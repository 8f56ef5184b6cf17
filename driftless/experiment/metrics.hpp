#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include "driftless/algorithm/algorithm.hpp"

namespace driftless {

// One row of metrics.csv: a run after `round` rounds. What does not apply is empty.
struct Metrics {
  Round round = 0;
  std::int64_t gradients = 0;
  std::optional<double> passes = {};
  Bytes bytes_total = 0;
  Bytes bytes_busiest = 0;
  double seconds = 0;
  double loss = 0;
  std::optional<double> suboptimality = {};
  std::optional<double> grad_norm2 = {};
  double consensus = 0;
  std::optional<double> correction_error = {};
  std::optional<double> drift = {};
  std::optional<double> heterogeneity = {};
  std::optional<double> train_loss = {};
  std::optional<double> validation_loss = {};
  std::optional<double> validation_accuracy = {};
  std::optional<double> test_loss = {};
  std::optional<double> test_accuracy = {};
  std::optional<double> test_r2 = {};
  std::optional<double> node_loss = {};
  std::optional<double> node_accuracy = {};
  std::optional<double> worst_node_accuracy = {};
  // Of a network that has weather.
  std::optional<double> members = {};
  std::optional<double> links_up = {};
  std::optional<double> late_letters = {};
  std::optional<double> correction_sum = {};
};

struct MetricColumn {
  std::string_view name;
  std::string_view meaning;
  double (*number)(const Metrics&);  // NaN where the row has none
  // The value as it stands in the file: the shortest text that reads back the same, or nothing.
  std::string (*text)(const Metrics&);
  // The way back; false where the text is not such a value.
  bool (*read)(std::string_view text, Metrics&);
  bool is_cost = false;  // what the run has spent so far; all else is measured against it
  // The values that such a figure can have: a spread over runs must not be shown beyond them.
  double least = 0;
  double most = std::numeric_limits<double>::infinity();
};

// The columns of metrics.csv, in order.
std::span<const MetricColumn> metric_columns();

// Null when there is no such column.
const MetricColumn* find_metric(std::string_view name);
std::size_t metric_index(std::string_view name);  // of a column that there is

// Which costly figures to compute; the columns of the others stay empty.
struct EvaluationOptions {
  bool gradients = true;   // ∇f_i(x̄) of every node, which take a pass over all its data
  bool every_node = true;  // test every node's model, not only the average
  // The minimum that the suboptimality is seen from; null: the problem's own.
  const Optimum* best = nullptr;
};

// Measures the models at hand; `seconds` and `drift` are for the caller to fill in.
template <class Real>
Metrics evaluate(const Problem<Real>& problem, const Network& network,
                 const Algorithm<Real>& algorithm, Round round, const EvaluationOptions& options);

// x̄ = (1/n) Σ x_i
template <class Real>
Vector<Real> mean_model(const Network& network, const Algorithm<Real>& algorithm);

}  // namespace driftless
