#pragma once

#include "driftless/algorithm/summed_flows.hpp"

namespace driftless {

// Exact Diffusion: diffusion with a correction step that removes its bias.
// K. Yuan, B. Ying, X. Zhao, A. H. Sayed: Exact Diffusion for Distributed Optimization and
// Learning, IEEE Transactions on Signal Processing, 2019.
//
//   ψ = x − ηg;   x' = (I + W)/2 (x + ψ − ψ₋)    ψ₋  that of the round before    η = η_c·η_s
//
// With y = ψ₋ − x that is one step of summed flows. Sends 1 vector an edge a round. Mixes with
// (I + W)/2 always.
template <class Real>
class ExactDiffusion final : public SummedFlows<Real> {
 public:
  using SummedFlows<Real>::SummedFlows;

 private:
  Real rate(Round t) const override { return this->local_rate(t) * this->communication_rate(); }
  Mixing mixing() const override { return Mixing::lazy; }
};

}  // namespace driftless
