#pragma once

#include "driftless/algorithm/algorithm.hpp"

namespace driftless {

// D-SGD with local steps: each node takes K steps of its own, then averages with its neighbours.
// X. Lian et al.: Can Decentralized Algorithms Outperform Centralized Algorithms?, NeurIPS 2017;
// A. Koloskova et al.: A Unified Theory of Decentralized SGD, ICML 2020.
//
//   x  model    K  local steps    η_c, η_s  local and communication rate
//
// Sends 1 vector an edge a round. With K > 1 or different f_i its limit is biased.
template <class Real>
class DSgd : public Algorithm<Real> {
 public:
  using Algorithm<Real>::Algorithm;

  void round(Round t) final {
    const Real eta_c = this->local_rate(t);
    const Real eta_s = this->communication_rate();

    const auto descent = [&](NodeId /*i*/, auto y, auto g) { descend(y, eta_c, g); };
    this->local_steps(t, descent, [&](NodeId i, auto y) {
      this->stretch(y, x_[i], this->steps(i));
      x_[i] -= eta_s * (x_[i] - y);
    });
    exchange(t);
    gradients_ += options_.local_steps;
  }

 protected:
  using Algorithm<Real>::network_, Algorithm<Real>::options_, Algorithm<Real>::x_,
      Algorithm<Real>::gradients_;

  // How the models meet after the local steps.
  virtual void exchange(Round /*t*/) { network_.mix({&x_}); }
};

}  // namespace driftless
