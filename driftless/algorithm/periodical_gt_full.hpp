#pragma once

#include "driftless/algorithm/corrected_steps.hpp"

namespace driftless {

// Periodical GT with full gradients: the last of the K local steps uses ∇f_i itself, and only that
// one enters the correction, which therefore carries no noise. Liu et al. 2023, appendix; the model
// line starts from x^{(t)}, where the paper misprints x^{(t)+K−1}.
//
//   x  model    c  correction    z  full gradient at the last local point    K  local steps
//   η_c, η_s  local and communication rate
//
// Sends 2 vectors an edge a round. Σ_i c_i = 0 for ever. K − 1 stochastic gradients and 1 full one
// a round.
template <class Real>
class PeriodicalGtFull final : public CorrectedSteps<Real> {
 public:
  using CorrectedSteps<Real>::CorrectedSteps;

  void round(Round t) override {
    const Real eta_c = this->local_rate(t);
    const Real eta_s = this->communication_rate();

    const auto last_step = [&](NodeId i, auto y) {
      const Step K_i = this->steps(i);
      problem_.full_gradient(i, y, this->draw(i, t, K_i - 1), z_[i]);
      descend(y, eta_c, z_[i], c_[i]);
      this->stretch(y, x_[i], K_i);
      x_[i] -= eta_s * (x_[i] - y);
      c_[i] += z_[i];
    };
    this->corrected_steps(t, c_, last_step, 1);
    network_.mix({&x_, &c_});
    network_.for_each_node([&](NodeId i) { c_[i] -= z_[i]; });  // c ← W(c + z) − z
    gradients_ += options_.local_steps - 1;
  }

 private:
  using Base = CorrectedSteps<Real>;
  using Base::c_, Base::z_;
  using Base::problem_, Base::network_, Base::options_, Base::x_, Base::gradients_;
};

}  // namespace driftless
