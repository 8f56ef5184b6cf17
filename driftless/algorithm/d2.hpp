#pragma once

#include "driftless/algorithm/algorithm.hpp"
#include "driftless/algorithm/lazy_mixing.hpp"

namespace driftless {

// D²: removes the effect of different f_i by two rounds' models and gradients.
// H. Tang et al.: D²: Decentralized Training over Decentralized Data, ICML 2018.
//
//   x  model    x₋  the round before    s₋ = η₋g₋  its step    η = η_c·η_s
//
// Sends 1 vector an edge a round. Needs λ_min(W) > −1/3; `lazy` mixes with (I + W)/2, which always
// has it.
template <class Real>
class D2 final : public Algorithm<Real> {
 public:
  using Own = LazyMixing;
  using Algorithm<Real>::Algorithm;

  void round(Round t) override {
    const Real eta = this->local_rate(t) * this->communication_rate();

    network_.for_each_node([&](NodeId i) {
      auto s = s_.get();
      auto next = next_.get();
      problem_.gradient(i, x_[i], this->draw(i, t, 0), s);
      s *= eta;
      next = 2 * x_[i] - x_before_[i] - (s - s_before_[i]);
      x_before_[i] = x_[i];
      s_before_[i] = s;
      x_[i] = next;
    });
    network_.mix({&x_}, own_.mixing());
    gradients_ += 1;
  }

  std::vector<NamedRows<Real>> state() override {
    return {{"x", &x_}, {"x_before", &x_before_}, {"s_before", &s_before_}};
  }

 private:
  using Algorithm<Real>::problem_, Algorithm<Real>::network_, Algorithm<Real>::x_,
      Algorithm<Real>::gradients_;

  void begin() override { x_before_ = x_; }  // with s₋ = 0 the first round is x' = W(x − ηg)

  Rows<Real> x_before_, s_before_;
  Scratch<Real> s_{this->dim()}, next_{this->dim()};
  const LazyMixing own_ = this->template own<LazyMixing>();
};

}  // namespace driftless
