#pragma once

#include "driftless/algorithm/algorithm.hpp"
#include "driftless/algorithm/initial_correction.hpp"

namespace driftless {

// Periodical GT: gradient tracking that talks only every K steps; in between each node tracks
// alone. Liu et al. 2023, appendix.
//
//   x  model    z  tracker    g  the latest gradient    K  local steps
//   η_c, η_s  local and communication rate
//
// Sends 2 vectors an edge a round. Σ_i z_i = Σ_i g_i for ever. Only the last of the K gradients
// reaches the neighbours, so its noise does not average over the K steps, as it does in K-GT.
template <class Real>
class PeriodicalGt final : public Algorithm<Real> {
 public:
  using Own = InitialCorrection;
  using Algorithm<Real>::Algorithm;

  void round(Round t) override {
    const Step K = options_.local_steps;
    const Real eta_c = this->local_rate(t);
    const Real eta_s = this->communication_rate();

    network_.for_each_node([&](NodeId i) {
      auto y = y_.get();
      y = x_[i];
      for (Step k = 0; k < K - 1; ++k) {
        descend(y, eta_c, z_[i]);
        track(i, y, this->draw(i, t, k + 1));
      }
      descend(y, eta_c, z_[i]);
      x_[i] -= eta_s * (x_[i] - y);
    });
    network_.mix({&x_, &z_});
    network_.for_each_node([&](NodeId i) { track(i, x_[i], this->draw(i, t + 1, 0)); });
    gradients_ += K;
  }

  std::vector<NamedRows<Real>> state() override { return {{"x", &x_}, {"z", &z_}, {"g", &g_}}; }
  bool correction(NodeId i, VectorView<Real> c) const override {
    c = z_[i] - g_[i];
    return true;
  }

 private:
  using Algorithm<Real>::problem_, Algorithm<Real>::network_, Algorithm<Real>::options_,
      Algorithm<Real>::x_, Algorithm<Real>::gradients_;

  void begin() override {
    network_.for_each_node([&](NodeId i) { track(i, x_[i], this->draw(i, 0, 0)); });
    gradients_ += 1;
    if (own_.from_gradients()) network_.average({&z_});
  }
  // z ← z + g(at) − g
  void track(NodeId i, Eigen::Map<Vector<Real>> at, const Draw& draw) {
    auto new_g = new_g_.get();
    problem_.gradient(i, at, draw, new_g);
    z_[i] += new_g - g_[i];
    g_[i] = new_g;
  }

  Rows<Real> z_, g_;
  Scratch<Real> y_{this->dim()}, new_g_{this->dim()};
  const InitialCorrection own_ = this->template own<InitialCorrection>();
};

}  // namespace driftless
