#pragma once

#include "driftless/algorithm/lazy_mixing.hpp"
#include "driftless/algorithm/summed_flows.hpp"

namespace driftless {

// LED: Exact Diffusion with local steps.
// S. A. Alghunaim: Local Exact-Diffusion for Decentralized Optimization and Learning, 2023
// (arXiv 2302.00620).
//
// Sends 1 vector an edge a round. Needs λ_min(W) > −1/3; `lazy` mixes with (I + W)/2, which always
// has it.
template <class Real>
class Led final : public SummedFlows<Real> {
 public:
  using Own = LazyMixing;
  using SummedFlows<Real>::SummedFlows;

 private:
  Real rate(Round t) const override { return this->local_rate(t); }
  Mixing mixing() const override { return own_.mixing(); }

  const LazyMixing own_ = this->template own<LazyMixing>();
};

}  // namespace driftless
