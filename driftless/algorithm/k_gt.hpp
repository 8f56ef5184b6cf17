#pragma once

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

  void round(Round t) override;

 private:
  using CorrectedSteps<Real>::problem_, CorrectedSteps<Real>::network_,
      CorrectedSteps<Real>::options_, CorrectedSteps<Real>::x_, CorrectedSteps<Real>::gradients_,
      CorrectedSteps<Real>::c_, CorrectedSteps<Real>::z_, CorrectedSteps<Real>::y_,
      CorrectedSteps<Real>::g_;
};

}  // namespace driftless
