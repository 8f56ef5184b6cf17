#pragma once

#include "driftless/algorithm/algorithm.hpp"

namespace driftless {

// Exact Diffusion: diffusion with a correction step that removes its bias.
// K. Yuan, B. Ying, X. Zhao, A. H. Sayed: Exact Diffusion for Distributed Optimization and
// Learning, IEEE Transactions on Signal Processing, 2019.
//
//   x  model    ψ = x − ηg  adapted model    ψ₋  that of the round before    η = η_c·η_s
//
// Sends 1 vector an edge a round. Mixes with (I + W)/2 always.
template <class Real>
class ExactDiffusion final : public Algorithm<Real> {
 public:
  using Algorithm<Real>::Algorithm;

  void round(Round t) override {
    const Real eta = this->local_rate(t) * this->communication_rate();

    network_.for_each_node([&](NodeId i) {
      auto psi = psi_.get();
      auto g = g_.get();
      problem_.gradient(i, x_[i], this->draw(i, t, 0), g);
      psi = x_[i];
      descend(psi, eta, g);           // adapt
      x_[i] += psi - psi_before_[i];  // correct
      psi_before_[i] = psi;
    });
    network_.mix({&x_}, Mixing::lazy);  // combine
    gradients_ += 1;
  }

  std::vector<NamedRows<Real>> state() override {
    return {{"x", &x_}, {"psi_before", &psi_before_}};
  }

 private:
  using Algorithm<Real>::problem_, Algorithm<Real>::network_, Algorithm<Real>::x_,
      Algorithm<Real>::gradients_;

  void begin() override { psi_before_ = x_; }

  Rows<Real> psi_before_;
  Scratch<Real> psi_{this->dim()}, g_{this->dim()};
};

}  // namespace driftless
