#include "driftless/experiment/diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace driftless {
namespace {

// Of the problem at the models where the run started.
struct Measured {
  double curvature = 0;      // L, the largest of any f_i
  bool exact = false;        // told by the problem, not estimated
  double heterogeneity = 0;  // ζ² = mean ‖∇f_i − ∇f‖²
  double noise = 0;          // σ² = mean variance of a stochastic gradient
};

// ‖∇²F_i‖ of one sample, by power iteration on differences of its gradients.
template <class Real>
double curvature_of(const Problem<Real>& problem, NodeId i, const Draw& draw) {
  constexpr int iterations = 8;
  const Index dim = problem.dim();
  Vector<Real> x(dim), g(dim), moved(dim);
  problem.start(i, x);
  problem.gradient(i, x, draw, g);
  const Real length = (sizeof(Real) == 4 ? Real(1e-2) : Real(1e-5)) * (1 + x.norm());
  Vector<Real> direction = g;
  double curvature = 0;
  for (int k = 0; k < iterations && direction.norm() > 0; ++k) {
    direction *= length / direction.norm();
    const Vector<Real> beside = x + direction;
    problem.gradient(i, beside, draw, moved);
    direction = moved - g;
    curvature = static_cast<double>(direction.norm() / length);
  }
  return std::isfinite(curvature) ? curvature : 0;
}

template <class Real>
Measured measure(const Problem<Real>& problem, const Network& network, std::uint64_t seed) {
  const auto gradient = [&](NodeId i, Step sample, VectorView<Real> g) {
    Vector<Real> x(problem.dim());
    problem.start(i, x);
    problem.gradient(i, x, Draw{seed, i, 0, sample}, g);
  };
  Measured found;
  found.exact = problem.smoothness().has_value();
  found.curvature = problem.smoothness().value_or(0);
  if (!found.exact) {
    found.curvature = std::ranges::max(network.gather(
        [&](NodeId i) { return curvature_of(problem, i, Draw{.seed = seed, .node = i}); }));
  }
  Vector<Real> mean(problem.dim());
  network.mean([&](NodeId i, VectorView<Real> g) { gradient(i, 0, g); }, mean);
  const double apart = network.mean([&](NodeId i) {
    Vector<Real> g(problem.dim());
    gradient(i, 0, g);
    return static_cast<double>((g - mean).squaredNorm());
  });
  found.noise = 0.5 * network.mean([&](NodeId i) {
    Vector<Real> one(problem.dim()), other(problem.dim());
    gradient(i, 0, one);
    gradient(i, 1, other);
    return static_cast<double>((one - other).squaredNorm());
  });
  found.heterogeneity = std::max(0.0, apart - found.noise);
  return found;
}

// The node whose model is not finite, or else the one whose is largest.
template <class Real>
std::string quantity(const Algorithm<Real>& algorithm, const Network& network, const Metrics& row,
                     double bound) {
  const std::vector<double> norms = network.gather([&](NodeId i) {
    const auto model = algorithm.models()[i];
    return model.allFinite() ? static_cast<double>(model.norm()) : -1.0;
  });
  const auto lost = std::ranges::find(norms, -1.0) - norms.begin();
  if (lost < std::ssize(norms)) return fmt::format("the model of node {} is not finite", lost);
  const auto largest = std::ranges::max_element(norms) - norms.begin();
  const std::string loss = std::isfinite(row.loss)
                               ? fmt::format("the loss is {:.3g}, above {:.3g}", row.loss, bound)
                               : std::string("the loss is not finite");
  return fmt::format("{}; the largest model is that of node {}", loss, largest);
}

template <class Real>
std::string cause(const AlgorithmOptions& options, const Measured& at_start) {
  // Corrections are differences of models over the rate. Below the smallest normal number the rate
  // has lost digits, and one over it may be infinite.
  constexpr double smallest = std::numeric_limits<Real>::min();
  if (options.local_rate < smallest) {
    return fmt::format(
        "local_rate = {} is too small to divide by: it is below {:.3g}, the smallest number that "
        "has all its digits; raise it",
        options.local_rate, smallest);
  }
  if (at_start.curvature == 0) {
    return fmt::format("local_rate = {} is likely too large", options.local_rate);
  }
  const double limit = 2 / at_start.curvature;
  const std::string two_over_l = fmt::format("2/L {} {:.3g}", at_start.exact ? "=" : "≈", limit);
  if (options.local_rate > limit) {
    return fmt::format(
        "local_rate = {} is above {}, the largest that the curvature allows: lower it",
        options.local_rate, two_over_l);
  }
  const double both = options.local_rate * options.communication_rate;
  if (both > limit) {
    return fmt::format(
        "local_rate × communication_rate = {:.3g} is above {}, the largest that the curvature "
        "allows: lower one of them",
        both, two_over_l);
  }
  const std::string below =
      fmt::format("local_rate = {} is below {}", options.local_rate, two_over_l);
  const std::string seen = fmt::format("(at the start ζ² ≈ {:.2g}, σ² ≈ {:.2g})",
                                       at_start.heterogeneity, at_start.noise);
  if (at_start.noise > at_start.heterogeneity) {
    return fmt::format(
        "{}, and the noise of the gradients is more than the nodes differ {}: try a lower rate, "
        "larger batches, or lazy weights",
        below, seen);
  }
  const double reach = options.local_steps * both * at_start.curvature;
  if (options.local_steps > 1 && reach > 1) {
    return fmt::format(
        "{}, but {} local steps reach K η L = {:.2g}, where nodes with different data drift apart "
        "{}: take fewer of them, or a local_rate below 1/(K L) = {:.3g}",
        below, options.local_steps, reach, seen, 1 / (options.local_steps * at_start.curvature));
  }
  return fmt::format(
      "{}, so mixing is the likely cause: try lazy weights, lazy = true where the method has it, "
      "or a lower rate",
      below);
}

}  // namespace

template <class Real>
std::string diagnose(const Algorithm<Real>& algorithm, const Problem<Real>& problem,
                     const Network& network, const Metrics& row, double bound) {
  const AlgorithmOptions& options = algorithm.options();
  return fmt::format("diverged by round {}: {}; {}", row.round,
                     quantity(algorithm, network, row, bound),
                     cause<Real>(options, measure(problem, network, options.seed)));
}

template decltype(diagnose<float>) diagnose<float>;
template decltype(diagnose<double>) diagnose<double>;

}  // namespace driftless
