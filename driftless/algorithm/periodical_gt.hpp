#pragma once

#include "driftless/algorithm/tracking.hpp"

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
class PeriodicalGt final : public Tracking<Real> {
 public:
  using Tracking<Real>::Tracking;

  void round(Round t) override {
    const Real eta_c = this->local_rate(t);
    const Real eta_s = this->communication_rate();

    network_.for_each_node([&](NodeId i) {
      const Step K_i = this->steps(i);
      auto y = y_.get();
      y = x_[i];
      for (Step k = 0; k < K_i - 1; ++k) {
        descend(y, eta_c, z_[i]);
        this->track(this->draw(i, t, k + 1), y);
      }
      descend(y, eta_c, z_[i]);
      this->stretch(y, x_[i], K_i);
      x_[i] -= eta_s * (x_[i] - y);
    });
    network_.mix({&x_, &z_});
    network_.for_each_node([&](NodeId i) { this->track(this->draw(i, t + 1, 0), x_[i]); });
    gradients_ += options_.local_steps;
  }

 private:
  using Base = Tracking<Real>;
  using Base::network_, Base::options_, Base::x_, Base::z_, Base::gradients_;

  Scratch<Real> y_{this->dim()};
};

}  // namespace driftless
