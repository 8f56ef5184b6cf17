#include "driftless/experiment/metrics.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace driftless {

namespace {

template <class Value>
std::string text_of(const Value& value) {
  return fmt::format("{}", value);
}
std::string text_of(double value) {
  return std::isnan(value) ? "nan" : fmt::format("{}", value);  // whatever its sign
}
std::string text_of(const std::optional<double>& value) {
  return value ? text_of(*value) : std::string();
}

template <auto Field>
constexpr auto text = [](const Metrics& row) { return text_of(row.*Field); };

constexpr std::array columns{
    MetricColumn{"round", "communication rounds done", text<&Metrics::round>},
    MetricColumn{"gradients", "stochastic gradients that each node has computed",
                 text<&Metrics::gradients>},
    MetricColumn{"passes", "passes over the data", text<&Metrics::passes>},
    MetricColumn{"bytes_total", "bytes sent by all nodes together", text<&Metrics::bytes_total>},
    MetricColumn{"bytes_busiest", "bytes that the busiest point has sent and received",
                 text<&Metrics::bytes_busiest>},
    MetricColumn{"seconds", "time spent in rounds, evaluation not counted",
                 text<&Metrics::seconds>},
    MetricColumn{"loss", "f(x̄), the objective at the average model", text<&Metrics::loss>},
    MetricColumn{"suboptimality", "f(x̄) − f*", text<&Metrics::suboptimality>},
    MetricColumn{"grad_norm2", "‖∇f(x̄)‖²", text<&Metrics::grad_norm2>},
    MetricColumn{"consensus", "(1/n) Σ ‖x_i − x̄‖²", text<&Metrics::consensus>},
    MetricColumn{"correction_error", "(1/n) Σ ‖c_i + ∇f_i(x̄) − ∇f(x̄)‖²",
                 text<&Metrics::correction_error>},
    MetricColumn{"drift", "(1/nK) Σ ‖x_i^(t)+k − x̄^(t)‖² over the last round's local steps",
                 text<&Metrics::drift>},
    MetricColumn{"heterogeneity", "(1/n) Σ ‖∇f_i(x̄) − ∇f(x̄)‖²", text<&Metrics::heterogeneity>},
    MetricColumn{"train_loss", "loss on the training data", text<&Metrics::train_loss>},
    MetricColumn{"test_loss", "loss on the test data", text<&Metrics::test_loss>},
    MetricColumn{"test_accuracy", "accuracy of the average model on the test data",
                 text<&Metrics::test_accuracy>},
    MetricColumn{"worst_node_accuracy", "accuracy of the worst node's model on the test data",
                 text<&Metrics::worst_node_accuracy>},
};

}  // namespace

std::span<const MetricColumn> metric_columns() { return columns; }

template <class Real>
Vector<Real> mean_model(const Network& network, const Algorithm<Real>& algorithm) {
  Vector<Real> mean(algorithm.models().dim());
  network.mean([&](NodeId i, VectorView<Real> x) { x = algorithm.models()[i]; }, mean);
  return mean;
}

template <class Real>
Metrics evaluate(const Problem<Real>& problem, const Network& network,
                 const Algorithm<Real>& algorithm, Round round) {
  const Rows<Real>& x = algorithm.models();
  const Vector<Real> x_mean = mean_model(network, algorithm);
  const auto gradient_at_mean = [&](NodeId i, VectorView<Real> g) {
    problem.full_gradient(i, x_mean, Draw{.node = i, .round = round}, g);
  };
  Vector<Real> g_mean(problem.dim());
  network.mean(gradient_at_mean, g_mean);

  const Scratch<Real> deviation(problem.dim());
  const Scratch<Real> correction(problem.dim());
  const auto own_gradient = [&](NodeId i) {  // ∇f_i(x̄) − ∇f(x̄)
    auto own = deviation.get();
    gradient_at_mean(i, own);
    own -= g_mean;
    return own;
  };
  const auto squared = [](const auto& vector) { return static_cast<double>(vector.squaredNorm()); };

  Metrics row;
  row.round = round;
  row.gradients = algorithm.gradients();
  row.bytes_total = network.traffic().total();
  row.bytes_busiest = network.traffic().busiest();
  row.loss = network.mean([&](NodeId i) { return problem.loss(i, x_mean); });
  if (problem.optimum() != nullptr) {
    row.suboptimality = network.mean([&](NodeId i) { return problem.suboptimality(i, x_mean); });
  }
  row.grad_norm2 = squared(g_mean);
  row.consensus = network.mean([&](NodeId i) { return squared(x[i] - x_mean); });
  row.heterogeneity = network.mean([&](NodeId i) { return squared(own_gradient(i)); });
  if (algorithm.correction(network.hosted().first, correction.get())) {
    row.correction_error = network.mean([&](NodeId i) {
      auto c = correction.get();
      algorithm.correction(i, c);
      return squared(c + own_gradient(i));
    });
  }
  return row;
}

template Vector<float> mean_model(const Network&, const Algorithm<float>&);
template Vector<double> mean_model(const Network&, const Algorithm<double>&);
template Metrics evaluate(const Problem<float>&, const Network&, const Algorithm<float>&, Round);
template Metrics evaluate(const Problem<double>&, const Network&, const Algorithm<double>&, Round);

}  // namespace driftless
