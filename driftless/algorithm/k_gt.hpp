#pragma once

#include "driftless/algorithm/algorithm.hpp"

namespace driftless {

// K-GT: gradient tracking with local steps.
// Y. Liu, T. Lin, A. Koloskova, S. U. Stich: Decentralized Gradient Tracking with Local Steps,
// 2023, Algorithm 1.
//
//   x  model             c  correction: cancels what node i's gradient has of its own
//   K  local steps       z  the mean direction a node took in its K steps
//   η_c, η_s  local and communication rate
//
// Sends 2 vectors an edge a round. Σ_i c_i = 0 for ever, so the average moves as if uncorrected.
template <class Real>
class KGt final : public Algorithm<Real> {
 public:
  KGt(const Problem<Real>& problem, Network& network, const AlgorithmOptions& options)
      : Algorithm<Real>(problem, network, options), y_(problem.dim()), g_(problem.dim()) {}

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

  Rows<Real> c_, z_;
  Scratch<Real> y_, g_;
};

}  // namespace driftless
