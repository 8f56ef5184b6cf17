#pragma once

#include "driftless/algorithm/lazy_mixing.hpp"
#include "driftless/algorithm/summed_flows.hpp"

namespace driftless {

// D²: removes the effect of different f_i by two rounds' models and gradients.
// H. Tang et al.: D²: Decentralized Training over Decentralized Data, ICML 2018.
//
//   x' = W(2x − x₋ − ηg + η₋g₋)    x₋, η₋g₋  model and step of the round before    η = η_c·η_s
//
// With y = x₋ − η₋g₋ − x that is one step of summed flows. Sends 1 vector an edge a round. Needs
// λ_min(W) > −1/3; `lazy` mixes with (I + W)/2, which always has it.
template <class Real>
class D2 final : public SummedFlows<Real> {
 public:
  using Own = LazyMixing;
  using SummedFlows<Real>::SummedFlows;

 private:
  Real rate(Round t) const override { return this->local_rate(t) * this->communication_rate(); }
  Mixing mixing() const override { return own_.mixing(); }

  const LazyMixing own_ = this->template own<LazyMixing>();
};

}  // namespace driftless
