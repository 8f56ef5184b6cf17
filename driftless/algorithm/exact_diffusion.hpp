#pragma once

#include "driftless/algorithm/algorithm.hpp"

namespace driftless {

// Exact Diffusion: diffusion with a correction step that removes its bias.
// K. Yuan, B. Ying, X. Zhao, A. H. Sayed: Exact Diffusion for Distributed Optimization and
// Learning, IEEE Transactions on Signal Processing, 2019.
//
//   x  model    ψ = x − ηg  adapted model    ψ₋  that of the round before    η = η_c·η_s
//
// Sends 1 vector an edge a round. Mixes with (I + W)/2 always.
template <class Real>
class ExactDiffusion final : public Algorithm<Real> {
 public:
  ExactDiffusion(const Problem<Real>& problem, Network& network, const AlgorithmOptions& options)
      : Algorithm<Real>(problem, network, options), psi_(problem.dim()), g_(problem.dim()) {}

  void round(Round t) override;
  std::vector<NamedRows<Real>> state() override {
    return {{"x", &x_}, {"psi_before", &psi_before_}};
  }

 private:
  using Algorithm<Real>::problem_, Algorithm<Real>::network_, Algorithm<Real>::options_,
      Algorithm<Real>::x_, Algorithm<Real>::gradients_;

  void begin() override { psi_before_ = x_; }

  Rows<Real> psi_before_;
  Scratch<Real> psi_, g_;
};

}  // namespace driftless
