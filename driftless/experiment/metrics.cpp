#include "driftless/experiment/metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <numeric>
#include <vector>

#include "driftless/base/named.hpp"
#include "driftless/experiment/tallies.hpp"

namespace driftless {
namespace {

template <class Value>
std::string text_of(const Value& value) {
  return fmt::format("{}", value);
}
std::string text_of(double value) {
  return std::isnan(value) ? "nan" : fmt::format("{}", value);  // without a sign
}
std::string text_of(const std::optional<double>& value) {
  return value ? text_of(*value) : std::string();
}

template <class Number>
double number_of(const Number& value) {
  return static_cast<double>(value);
}
double number_of(const std::optional<double>& value) { return value.value_or(NAN); }

bool read_into(std::string_view text, double& value) {
  const std::optional<double> number = text.empty() ? NAN : parse_number(text);
  value = number.value_or(0);
  return number.has_value();
}
template <std::integral Integer>
bool read_into(std::string_view text, Integer& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}
bool read_into(std::string_view text, std::optional<double>& value) {
  value.reset();
  return text.empty() || read_into(text, value.emplace());
}

template <auto Field>
constexpr MetricColumn column(std::string_view name, std::string_view meaning) {
  return {name, meaning, [](const Metrics& row) { return number_of(row.*Field); },
          [](const Metrics& row) { return text_of(row.*Field); },
          [](std::string_view text, Metrics& row) { return read_into(text, row.*Field); }};
}

template <auto Field>
constexpr MetricColumn cost(std::string_view name, std::string_view meaning) {
  MetricColumn spent = column<Field>(name, meaning);
  spent.is_cost = true;
  return spent;
}

template <auto Field>
constexpr MetricColumn accuracy(std::string_view name, std::string_view meaning) {
  MetricColumn share = column<Field>(name, meaning);
  share.most = 1;
  return share;
}

// 1 − error / spread: an error has no bound.
template <auto Field>
constexpr MetricColumn r_squared(std::string_view name, std::string_view meaning) {
  MetricColumn share = accuracy<Field>(name, meaning);
  share.least = -std::numeric_limits<double>::infinity();
  return share;
}

constexpr std::array columns{
    cost<&Metrics::round>("round", "communication rounds done"),
    cost<&Metrics::gradients>("gradients", "stochastic gradients that each node has computed"),
    cost<&Metrics::passes>("passes", "passes of a node over its samples, on average"),
    cost<&Metrics::bytes_total>("bytes_total", "bytes sent by all nodes together"),
    cost<&Metrics::bytes_busiest>("bytes_busiest",
                                  "bytes that the busiest point has sent and received"),
    cost<&Metrics::seconds>("seconds", "time spent in rounds, evaluation not counted"),
    column<&Metrics::loss>("loss", "f(x̄), the objective at the average model"),
    column<&Metrics::suboptimality>("suboptimality",
                                    "f(x̄) − f*, how far the objective is above its minimum"),
    column<&Metrics::grad_norm2>("grad_norm2", "‖∇f(x̄)‖², 0 where f is stationary"),
    column<&Metrics::consensus>("consensus",
                                "(1/n) Σ ‖x_i − x̄‖², how far the nodes' models are apart"),
    column<&Metrics::correction_error>(
        "correction_error", "(1/n) Σ ‖c_i + ∇f_i(x̄) − ∇f(x̄)‖², how far the corrections are off"),
    column<&Metrics::drift>("drift",
                            "(1/nK) Σ ‖x_i^(t)+k − x̄^(t)‖² over the last round's local steps"),
    column<&Metrics::heterogeneity>("heterogeneity",
                                    "(1/n) Σ ‖∇f_i(x̄) − ∇f(x̄)‖², how much the nodes' data differ"),
    column<&Metrics::train_loss>("train_loss", "mean loss over all training samples"),
    column<&Metrics::validation_loss>("validation_loss",
                                      "mean loss over the samples held out from training"),
    accuracy<&Metrics::validation_accuracy>(
        "validation_accuracy", "accuracy of the average model on the samples held out"),
    column<&Metrics::test_loss>("test_loss", "mean loss over all test samples"),
    accuracy<&Metrics::test_accuracy>("test_accuracy",
                                      "accuracy of the average model on the test data"),
    r_squared<&Metrics::test_r2>(
        "test_r2",
        "R² of the average model on the test data: 1 foretells all, 0 no more than their mean"),
    column<&Metrics::node_loss>("node_loss", "mean over the nodes of their own models' test loss"),
    accuracy<&Metrics::node_accuracy>(
        "node_accuracy", "mean over the nodes of their own models' accuracy on the test data"),
    accuracy<&Metrics::worst_node_accuracy>("worst_node_accuracy",
                                            "accuracy of the worst node's model on the test data"),
    column<&Metrics::members>("members", "nodes that are not lost"),
    accuracy<&Metrics::links_up>("links_up",
                                 "share of the members' links that carried letters in this round"),
    column<&Metrics::late_letters>("late_letters", "letters so far that came late"),
    column<&Metrics::correction_sum>(
        "correction_sum", "‖Σ c_i‖ over the members: 0, but for letters that are under way"),
};

template <class Derived>
double squared(const Eigen::MatrixBase<Derived>& vector) {
  return static_cast<double>(vector.squaredNorm());
}

// The columns that need ∇f_i(x̄).
template <class Real>
void measure_gradients(const Problem<Real>& problem, const Network& network,
                       const Algorithm<Real>& algorithm, const Vector<Real>& x_mean, Metrics& row) {
  const auto gradient_at_mean = [&](NodeId i, VectorView<Real> g) {
    problem.full_gradient(i, x_mean, Draw{.node = i, .round = row.round}, g);
  };
  Vector<Real> g_mean(problem.dim());
  network.mean(gradient_at_mean, g_mean);
  row.grad_norm2 = squared(g_mean);

  const Scratch<Real> deviation(problem.dim());
  const Scratch<Real> correction(problem.dim());
  const auto own_gradient = [&](NodeId i) {  // ∇f_i(x̄) − ∇f(x̄)
    auto own = deviation.get();
    gradient_at_mean(i, own);
    own -= g_mean;
    return own;
  };
  row.heterogeneity = network.mean([&](NodeId i) { return squared(own_gradient(i)); });
  if (algorithm.correction(network.hosted().first, correction.get())) {
    row.correction_error = network.mean([&](NodeId i) {
      auto c = correction.get();
      algorithm.correction(i, c);
      return squared(c + own_gradient(i));
    });
  }
}

// How well the average model does on the test samples.
template <class Real>
void measure_test(const Learning<Real>& learning, const Network& network,
                  const Vector<Real>& x_mean, Metrics& row) {
  const auto test = [&](NodeId i) { return learning.test(i, x_mean); };
  const Tally all = learning.tests() == Tests::own ? gather_tallies(network, test).all
                                                   : test(network.hosted().first);
  row.test_loss = all.mean_loss();
  if (learning.classifies()) row.test_accuracy = all.accuracy();
  if (const auto spread = learning.target_spread()) row.test_r2 = 1 - all.loss / *spread;
}

// How well the models do that the nodes have themselves. A node that is tested on samples of its
// own counts by how many these are.
template <class Real>
void measure_nodes(const Learning<Real>& learning, const Network& network, const Rows<Real>& x,
                   Metrics& row) {
  const NodeTallies tests =
      gather_tallies(network, [&](NodeId i) { return learning.test(i, x[i]); });
  const auto mean = [&](double (Tally::*of)() const) {
    if (learning.tests() == Tests::own) return (tests.all.*of)();
    double sum = 0;
    for (const Tally& node : tests.nodes) sum += node.samples > 0 ? (node.*of)() : 0;
    return sum / network.members();
  };
  row.node_loss = mean(&Tally::mean_loss);
  if (!learning.classifies()) return;
  row.node_accuracy = mean(&Tally::accuracy);
  row.worst_node_accuracy = 1.0;
  for (const Tally& node : tests.nodes) {
    if (node.samples > 0)
      row.worst_node_accuracy = std::min(*row.worst_node_accuracy, node.accuracy());
  }
}

// f(x̄), and what a problem that learns tells of its samples.
template <class Real>
void measure_losses(const Problem<Real>& problem, const Network& network, const Rows<Real>& x,
                    const Vector<Real>& x_mean, bool every_node, Metrics& row) {
  const std::vector<double> losses =
      network.gather([&](NodeId i) { return problem.loss(i, x_mean); });
  row.loss = std::accumulate(losses.begin(), losses.end(), 0.0) / network.members();

  const Learning<Real>* learning = problem.learning();
  if (learning == nullptr) return;
  row.passes = learning->passes(row.gradients);
  double loss = 0;
  double samples = 0;
  for (NodeId i = 0; i < network.nodes(); ++i) {
    if (!network.is_member(i)) continue;
    const auto of_node = static_cast<double>(learning->samples(i));
    const double of_samples = losses[static_cast<std::size_t>(i)] - learning->penalty(x_mean);
    loss += of_node * of_samples / learning->weight(i);
    samples += of_node;
  }
  row.train_loss = loss / samples;
  if (learning->validates()) {
    const Tally held_out =
        gather_tallies(network, [&](NodeId i) { return learning->validate(i, x_mean); }).all;
    // A node with one sample holds none out.
    if (held_out.samples > 0) row.validation_loss = held_out.mean_loss();
    if (held_out.samples > 0 && learning->classifies()) {
      row.validation_accuracy = held_out.accuracy();
    }
  }
  if (learning->tests() == Tests::none) return;
  measure_test(*learning, network, x_mean, row);
  if (every_node) measure_nodes(*learning, network, x, row);
}

// How the network fares, where anything can happen to it.
template <class Real>
void measure_weather(const Network& network, const Algorithm<Real>& algorithm, Metrics& row) {
  const Weather* weather = network.weather();
  if (weather == nullptr) return;
  row.members = weather->members();
  row.links_up = weather->links_up();
  row.late_letters = static_cast<double>(weather->counts().late_letters);
  Vector<Real> correction(algorithm.models().dim());
  if (!algorithm.correction(network.hosted().first, correction)) return;
  network.mean([&](NodeId i, VectorView<Real> c) { algorithm.correction(i, c); }, correction);
  row.correction_sum = std::sqrt(squared(correction)) * network.members();
}

}  // namespace

std::span<const MetricColumn> metric_columns() { return columns; }

const MetricColumn* find_metric(std::string_view name) { return find_or_null(columns, name); }

std::size_t metric_index(std::string_view name) {
  return static_cast<std::size_t>(find_metric(name) - columns.begin());
}

template <class Real>
Vector<Real> mean_model(const Network& network, const Algorithm<Real>& algorithm) {
  Vector<Real> mean(algorithm.models().dim());
  network.mean([&](NodeId i, VectorView<Real> x) { x = algorithm.models()[i]; }, mean);
  return mean;
}

template <class Real>
Metrics evaluate(const Problem<Real>& problem, const Network& network,
                 const Algorithm<Real>& algorithm, Round round, const EvaluationOptions& options) {
  const Rows<Real>& x = algorithm.models();
  const Vector<Real> x_mean = mean_model(network, algorithm);
  Metrics row;
  row.round = round;
  row.gradients = algorithm.gradients();
  row.bytes_total = network.traffic().total();
  row.bytes_busiest = network.traffic().busiest();
  row.consensus = network.mean([&](NodeId i) { return squared(x[i] - x_mean); });
  measure_losses(problem, network, x, x_mean, options.every_node, row);
  const Optimum* best = options.best != nullptr ? options.best : problem.optimum();
  if (best != nullptr) {
    row.suboptimality =
        network.mean([&](NodeId i) { return problem.suboptimality(i, x_mean, *best); });
  }
  if (options.gradients) measure_gradients(problem, network, algorithm, x_mean, row);
  measure_weather(network, algorithm, row);
  return row;
}

template decltype(mean_model<float>) mean_model<float>;
template decltype(mean_model<double>) mean_model<double>;
template decltype(evaluate<float>) evaluate<float>;
template decltype(evaluate<double>) evaluate<double>;

}  // namespace driftless
