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

  void round(Round t) override;

 private:
  using CorrectedSteps<Real>::problem_, CorrectedSteps<Real>::network_,
      CorrectedSteps<Real>::options_, CorrectedSteps<Real>::x_, CorrectedSteps<Real>::gradients_,
      CorrectedSteps<Real>::c_, CorrectedSteps<Real>::z_, CorrectedSteps<Real>::y_,
      CorrectedSteps<Real>::g_;
};

}  // namespace driftless
