#pragma once

#include "driftless/algorithm/algorithm.hpp"

namespace driftless {

// D-SGD that spends its K gradients at one point: a large batch instead of local steps.
//
//   x  model    K  samples    η = η_c·η_s
//
// Sends 1 vector an edge a round.
template <class Real>
class LargeBatchDSgd final : public Algorithm<Real> {
 public:
  LargeBatchDSgd(const Problem<Real>& problem, Network& network, const AlgorithmOptions& options)
      : Algorithm<Real>(problem, network, options), one_(problem.dim()), g_(problem.dim()) {}

  void round(Round t) override;

 private:
  using Algorithm<Real>::problem_, Algorithm<Real>::network_, Algorithm<Real>::options_,
      Algorithm<Real>::x_, Algorithm<Real>::gradients_;

  Scratch<Real> one_, g_;
};

}  // namespace driftless
