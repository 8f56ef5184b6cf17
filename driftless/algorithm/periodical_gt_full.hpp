#pragma once

#include "driftless/algorithm/algorithm.hpp"

namespace driftless {

// Periodical GT with full gradients: the last of the K local steps uses ∇f_i itself, and only that
// one enters the correction, which therefore carries no noise. Liu et al. 2023, appendix; the model
// line starts from x^{(t)}, where the paper misprints x^{(t)+K−1}.
//
//   x  model    c  correction    g  full gradient at the last local point    K  local steps
//   η_c, η_s  local and communication rate
//
// Sends 2 vectors an edge a round. Σ_i c_i = 0 for ever. K − 1 stochastic gradients and 1 full one
// a round.
template <class Real>
class PeriodicalGtFull final : public Algorithm<Real> {
 public:
  PeriodicalGtFull(const Problem<Real>& problem, Network& network, const AlgorithmOptions& options)
      : Algorithm<Real>(problem, network, options), y_(problem.dim()), one_(problem.dim()) {}

  void round(Round t) override;
  std::vector<NamedRows<Real>> state() override { return {{"x", &x_}, {"c", &c_}}; }
  bool correction(NodeId i, VectorView<Real> c) const override {
    c = c_[i];
    return true;
  }

 private:
  using Algorithm<Real>::problem_, Algorithm<Real>::network_, Algorithm<Real>::options_,
      Algorithm<Real>::x_, Algorithm<Real>::gradients_;

  void begin() override;

  Rows<Real> c_, g_;
  Scratch<Real> y_, one_;
};

}  // namespace driftless
