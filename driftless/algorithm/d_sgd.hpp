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
  DSgd(const Problem<Real>& problem, Network& network, const AlgorithmOptions& options)
      : Algorithm<Real>(problem, network, options), y_(problem.dim()), g_(problem.dim()) {}

  void round(Round t) final;

 protected:
  using Algorithm<Real>::problem_, Algorithm<Real>::network_, Algorithm<Real>::options_,
      Algorithm<Real>::x_, Algorithm<Real>::gradients_;

  // How the models meet after their local steps.
  virtual void exchange(Round t) {
    (void)t;
    network_.mix({&x_});
  }

 private:
  Scratch<Real> y_, g_;
};

}  // namespace driftless
