#pragma once

#include "driftless/algorithm/large_batch.hpp"

namespace driftless {

// D-SGD that spends its K gradients at one point: a large batch instead of local steps.
//
//   x  model    K  samples    η = η_c·η_s
//
// Sends 1 vector an edge a round.
template <class Real>
class LargeBatchDSgd final : public Algorithm<Real> {
 public:
  using Algorithm<Real>::Algorithm;

  void round(Round t) override {
    const Real eta = this->local_rate(t) * this->communication_rate();

    network_.for_each_node([&](NodeId i) {
      const Step K_i = this->steps(i);
      auto g = g_.get();
      sum_of_gradients<Real>(problem_, this->draw(i, t, 0), K_i, x_[i], one_.get(), g);
      if (K_i != options_.local_steps) g *= this->weight_of_step(K_i);
      descend(x_[i], eta, g);
    });
    network_.mix({&x_});
    gradients_ += options_.local_steps;
  }

 private:
  using Algorithm<Real>::problem_, Algorithm<Real>::network_, Algorithm<Real>::options_,
      Algorithm<Real>::x_, Algorithm<Real>::gradients_;

  Scratch<Real> one_{this->dim()}, g_{this->dim()};
};

}  // namespace driftless
