#pragma once

#include <algorithm>

#include "driftless/algorithm/algorithm.hpp"
#include "driftless/algorithm/lazy_mixing.hpp"

namespace driftless {

// LED: Exact Diffusion with local steps.
// S. A. Alghunaim: Local Exact-Diffusion for Decentralized Optimization and Learning, 2023
// (arXiv 2302.00620).
//
//   x  model    φ  local model    y  dual: what mixing has taken from node i so far
//   K  local steps    η_c  local rate    β = 1/K
//
// Sends 1 vector an edge a round. Σ_i y_i = 0 for ever. Needs λ_min(W) > −1/3; `lazy` mixes with
// (I + W)/2, which always has it. y is in units of η_c·gradient: a falling rate finds it too long
// at first.
template <class Real>
class Led final : public Algorithm<Real> {
 public:
  using Own = LazyMixing;
  using Algorithm<Real>::Algorithm;

  void round(Round t) override {
    const Step K = options_.local_steps;
    const Real eta_c = this->local_rate(t);

    network_.for_each_node([&](NodeId i) {
      auto phi = phi_.get();
      auto g = g_.get();
      phi = x_[i];
      for (Step k = 0; k < K; ++k) {
        problem_.gradient(i, phi, this->draw(i, t, k), g);
        descend(phi, eta_c, g);
        descend(phi, beta(), y_[i]);
      }
      x_[i] = phi;
      y_[i] += phi;
    });
    network_.mix({&x_}, own_.mixing());
    network_.for_each_node([&](NodeId i) { y_[i] -= x_[i]; });  // y ← y + φ − x'
    latest_rate_ = eta_c;
    gradients_ += K;
  }

  std::vector<NamedRows<Real>> state() override { return {{"x", &x_}, {"y", &y_}}; }
  bool correction(NodeId i, VectorView<Real> c) const override {
    c = y_[i] * (beta() / latest_rate_);
    return true;
  }

 private:
  using Algorithm<Real>::problem_, Algorithm<Real>::network_, Algorithm<Real>::options_,
      Algorithm<Real>::x_, Algorithm<Real>::gradients_;

  void begin() override { latest_rate_ = this->local_rate(0); }
  void resumed(Round rounds) override {
    latest_rate_ = this->local_rate(std::max<Round>(rounds - 1, 0));
  }
  Real beta() const { return Real(1) / static_cast<Real>(options_.local_steps); }

  Rows<Real> y_;
  Real latest_rate_ = 1;  // η_c of the round before, in whose units y is
  Scratch<Real> phi_{this->dim()}, g_{this->dim()};
  const LazyMixing own_ = this->template own<LazyMixing>();
};

}  // namespace driftless
