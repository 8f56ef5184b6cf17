#pragma once

#include "driftless/algorithm/algorithm.hpp"
#include "driftless/algorithm/initial_correction.hpp"

namespace driftless {

// SCAFFOLD, option II, all nodes taking part: K-GT's idea with a server in place of the graph.
// S. P. Karimireddy et al.: SCAFFOLD: Stochastic Controlled Averaging for Federated Learning, ICML
// 2020.
//
//   x  the server's model (each node's copy)      c_i  a node's control variate
//   c  the server's control variate (a copy)      K  local steps
//   η_c, η_s  local and global rate
//
// Sends 2 vectors up and 2 down for each node a round; the server carries them all. c = mean_i c_i
// for ever.
template <class Real>
class Scaffold final : public Algorithm<Real> {
 public:
  using Own = InitialCorrection;

  Scaffold(const Problem<Real>& problem, Network& network, const AlgorithmOptions& options)
      : Algorithm<Real>(problem, network, options),
        dx_(this->zero_rows()),
        dc_(this->zero_rows()),
        y_(problem.dim()),
        g_(problem.dim()),
        r_(problem.dim()),
        own_(this->template own<Own>()) {}

  void round(Round t) override;
  std::vector<NamedRows<Real>> state() override { return {{"x", &x_}, {"c_i", &ci_}, {"c", &c_}}; }
  bool correction(NodeId i, VectorView<Real> c) const override {
    c = c_[i] - ci_[i];
    return true;
  }

 private:
  using Algorithm<Real>::problem_, Algorithm<Real>::network_, Algorithm<Real>::options_,
      Algorithm<Real>::x_, Algorithm<Real>::gradients_;

  void begin() override;

  Rows<Real> ci_, c_;
  Rows<Real> dx_, dc_;  // what a node reports, and then what the server answers
  Scratch<Real> y_, g_, r_;
  const InitialCorrection own_;
};

}  // namespace driftless
