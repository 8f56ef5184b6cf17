#pragma once

#include "driftless/algorithm/close_round.hpp"
#include "driftless/algorithm/corrected_steps.hpp"

namespace driftless {

// K-GT: gradient tracking with local steps.
// Y. Liu, T. Lin, A. Koloskova, S. U. Stich: Decentralized Gradient Tracking with Local Steps,
// 2023, Algorithm 1.
//
//   x  model             c  correction: cancels what node i's gradient has of its own
//   K  local steps       z  the mean direction a node took in its K steps
//   η_c, η_s  local and communication rate
//
// Sends 2 vectors an edge a round. Σ_i c_i = 0 for ever, so the average moves as if uncorrected.
template <class Real>
class KGt final : public CorrectedSteps<Real> {
 public:
  using CorrectedSteps<Real>::CorrectedSteps;

  void round(Round t) override {
    const Step K = options_.local_steps;
    const Real eta_c = this->local_rate(t);
    const Real eta_s = this->communication_rate();
    const Real per_step = 1 / (K * eta_c);

    this->corrected_steps(t, c_, [&](NodeId i, auto y) {
      this->stretch(y, x_[i], this->steps(i));
      // z ← (x − y)/(K η_c), the direction this node really took; c ← c − z; x ← x − K η_s η_c z
      kernel::close_round(x_.row(i), y.data(), c_.row(i), z_.row(i), per_step, K * eta_s * eta_c,
                          y.size());
    });
    network_.mix({&x_, &z_});  // one message an edge carries both
    network_.for_each_node([&](NodeId i) { c_[i] += z_[i]; });
    gradients_ += K;
  }

 private:
  using Base = CorrectedSteps<Real>;
  using Base::c_, Base::z_;
  using Base::network_, Base::options_, Base::x_, Base::gradients_;
};

}  // namespace driftless
