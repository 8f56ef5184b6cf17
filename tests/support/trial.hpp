#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <string_view>

#include "driftless/algorithm/registry.hpp"
#include "driftless/network/local_network.hpp"
#include "tests/support/fitting.hpp"
#include "tests/support/instance.hpp"

namespace driftless::testing {

template <class Real>
Eigen::MatrixXd dense(const Rows<Real>& rows) {
  Eigen::MatrixXd matrix(rows.hosted().size(), rows.dim());
  for (NodeId i = 0; i < rows.hosted().size(); ++i) {
    matrix.row(i) = rows[rows.hosted().first + i].transpose().template cast<double>();
  }
  return matrix;
}

// A started method with its network; everything it shows is nodes × d.
template <class Real>
class BasicTrial {
 public:
  // On a MixingMatrix or on Conditions.
  template <class Given>
  BasicTrial(std::string_view kind, const Problem<Real>& problem, Given given,
             const AlgorithmOptions& options)
      : network_(std::move(given)), algorithm_(make_fitting(kind, problem, network_, options)) {
    algorithm_->start(starting_models(problem, network_));
  }

  void round(Round t) { algorithm_->advance(t); }

  Eigen::MatrixXd models() const { return dense(algorithm_->models()); }
  Eigen::MatrixXd corrections() const {
    Rows<Real> c(network_.hosted(), algorithm_->models().dim());
    for (NodeId i = 0; i < network_.nodes(); ++i) algorithm_->correction(i, c[i]);
    return dense(c);
  }
  Eigen::MatrixXd state(std::string_view name) const {
    const auto all = algorithm_->state();
    return dense(*std::ranges::find(all, name, &NamedRows<Real>::name)->rows);
  }

  Algorithm<Real>& algorithm() { return *algorithm_; }
  LocalNetwork& network() { return network_; }
  const LocalNetwork& network() const { return network_; }

 private:
  LocalNetwork network_;
  std::unique_ptr<Algorithm<Real>> algorithm_;
};
using Trial = BasicTrial<double>;

// The largest difference of two entries, as a part of the largest entry or, where all are smaller,
// of 1: instances have numbers of order one, whose roundings do not shrink with the result.
inline double difference(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  if (!a.allFinite() || !b.allFinite()) return std::numeric_limits<double>::infinity();
  return (a - b).cwiseAbs().maxCoeff() / std::max(1.0, a.cwiseAbs().maxCoeff());
}

inline constexpr double rounding = 1e-12;

// The largest difference of the models along some rounds. A and B have `models` and `round`.
template <class A, class B>
double apart(A&& a, B&& b, Round rounds = 6) {
  double worst = difference(a.models(), b.models());
  for (Round t = 0; t < rounds; ++t) {
    a.round(t);
    b.round(t);
    worst = std::max(worst, difference(a.models(), b.models()));
  }
  return worst;
}

// Row i is ∇F_i(x_i; ξ) with the sample of (round, step).
inline Eigen::MatrixXd gradients(const Problem<double>& problem, const Eigen::MatrixXd& X,
                                 std::uint64_t seed, Round round, Step step) {
  Eigen::MatrixXd G(X.rows(), X.cols());
  for (NodeId i = 0; i < X.rows(); ++i) {
    const Vector<double> x = X.row(i);
    Vector<double> g(X.cols());
    problem.gradient(i, x, {seed, i, round, step}, g);
    G.row(i) = g.transpose();
  }
  return G;
}

}  // namespace driftless::testing
