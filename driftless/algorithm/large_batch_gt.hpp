#pragma once

#include "driftless/algorithm/gt.hpp"
#include "driftless/algorithm/large_batch.hpp"

namespace driftless {

// Gradient tracking that spends its K gradients at one point: a large batch instead of local steps.
//
// Sends 2 vectors an edge a round, as GT.
template <class Real>
class LargeBatchGt final : public Gt<Real> {
 public:
  using Gt<Real>::Gt;

 private:
  void sample(const Draw& draw, const ConstVectorView<Real>& at,
              Eigen::Map<Vector<Real>> g) const override {
    const Step K_i = this->steps(draw.node);
    sum_of_gradients<Real>(this->problem_, draw, K_i, at, one_.get(), g);
    if (K_i != samples()) g *= this->weight_of_step(K_i);
  }
  Step samples() const override { return this->options_.local_steps; }

  Scratch<Real> one_{this->dim()};
};

}  // namespace driftless
