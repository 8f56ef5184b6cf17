#pragma once

#include "driftless/algorithm/algorithm.hpp"
#include "driftless/algorithm/initial_correction.hpp"
#include "driftless/base/error.hpp"

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
  using Algorithm<Real>::Algorithm;

  void round(Round t) override {
    const Step K = options_.local_steps;
    const Real eta_c = this->local_rate(t);
    const Real eta_s = this->communication_rate();

    at_work([&](NodeId i) { r_[i] = c_[i] - ci_[i]; });
    this->corrected_steps(t, r_, [&](NodeId i, auto y) {
      this->stretch(y, x_[i], this->steps(i));
      dx_[i] = y - x_[i];
      dc_[i] = -c_[i] - dx_[i] / (K * eta_c);  // c_i⁺ − c_i
      ci_[i] += dc_[i];
    });
    const auto share = static_cast<Real>(network_.average({&dx_, &dc_}));
    if (share > 0) {
      network_.for_each_member([&](NodeId i) {
        x_[i] += eta_s * dx_[i];
        c_[i] += share * dc_[i];
      });
    }
    gradients_ += K;
  }

  std::vector<NamedRows<Real>> state() override { return {{"x", &x_}, {"c_i", &ci_}, {"c", &c_}}; }
  bool correction(NodeId i, VectorView<Real> c) const override {
    c = c_[i] - ci_[i];
    return true;
  }

 private:
  using Algorithm<Real>::problem_, Algorithm<Real>::network_, Algorithm<Real>::options_,
      Algorithm<Real>::x_, Algorithm<Real>::gradients_;

  void at_work(FunctionRef<void(NodeId)> work) override { network_.for_each_client(work); }

  void begin() override {
    const NodeId first = network_.hosted().first;
    network_.for_each_node([&](NodeId i) {
      if (x_[i] != x_[first]) {
        throw ConfigError("scaffold starts from the server's one model, but node " +
                          std::to_string(i) + " starts elsewhere than node " +
                          std::to_string(first) + "; give one x0 for all nodes");
      }
    });
    if (own_.from_gradients()) {
      network_.for_each_node([&](NodeId i) {
        problem_.gradient(i, x_[i], this->draw(i, 0, 0), ci_[i]);
        c_[i] = ci_[i];
      });
      gradients_ += 1;
      network_.average({&c_});
    }
  }

  Rows<Real> ci_, c_;
  // What a node reports, and then what the server answers.
  Rows<Real> dx_ = this->zero_rows(), dc_ = this->zero_rows();
  Rows<Real> r_ = this->zero_rows();  // how a node's steps are corrected
  const InitialCorrection own_ = this->template own<InitialCorrection>();
};

}  // namespace driftless
