#pragma once

#include "driftless/algorithm/tracking.hpp"

namespace driftless {

// Gradient tracking: z_i follows the mean gradient of all nodes.
// P. Di Lorenzo, G. Scutari: NEXT, 2016; A. Nedić, A. Olshevsky, W. Shi: Achieving Geometric
// Convergence for Distributed Optimization over Time-Varying Graphs, 2017.
//
//   x  model    z  tracker    g  the latest gradient    η = η_c·η_s
//
// Sends 2 vectors an edge a round. Σ_i z_i = Σ_i g_i for ever.
template <class Real>
class Gt : public Tracking<Real> {
 public:
  using Tracking<Real>::Tracking;

  void round(Round t) final {
    const Real eta = this->local_rate(t) * this->communication_rate();

    network_.for_each_node([&](NodeId i) { descend(x_[i], eta, z_[i]); });
    network_.mix({&x_, &z_});
    network_.for_each_node([&](NodeId i) { this->track(this->draw(i, t + 1, 0), x_[i]); });
    gradients_ += this->samples();
  }

 private:
  using Base = Tracking<Real>;
  using Base::network_, Base::x_, Base::z_, Base::gradients_;
};

}  // namespace driftless
