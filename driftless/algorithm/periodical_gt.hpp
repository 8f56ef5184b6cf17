#pragma once

#include "driftless/algorithm/algorithm.hpp"
#include "driftless/algorithm/initial_correction.hpp"

namespace driftless {

// Periodical GT: gradient tracking that talks only every K steps; in between each node tracks
// alone. Liu et al. 2023, appendix.
//
//   x  model    z  tracker    g  the latest gradient    K  local steps
//   η_c, η_s  local and communication rate
//
// Sends 2 vectors an edge a round. Σ_i z_i = Σ_i g_i for ever. Only the last of the K gradients
// reaches the neighbours, so its noise does not average over the K steps, as it does in K-GT.
template <class Real>
class PeriodicalGt final : public Algorithm<Real> {
 public:
  using Own = InitialCorrection;

  PeriodicalGt(const Problem<Real>& problem, Network& network, const AlgorithmOptions& options)
      : Algorithm<Real>(problem, network, options),
        y_(problem.dim()),
        new_g_(problem.dim()),
        own_(this->template own<Own>()) {}

  void round(Round t) override;
  std::vector<NamedRows<Real>> state() override { return {{"x", &x_}, {"z", &z_}, {"g", &g_}}; }
  bool correction(NodeId i, VectorView<Real> c) const override {
    c = z_[i] - g_[i];
    return true;
  }

 private:
  using Algorithm<Real>::problem_, Algorithm<Real>::network_, Algorithm<Real>::options_,
      Algorithm<Real>::x_, Algorithm<Real>::gradients_;

  void begin() override;
  void track(NodeId i, Eigen::Map<Vector<Real>> at, const Draw& draw);  // z ← z + g(at) − g

  Rows<Real> z_, g_;
  Scratch<Real> y_, new_g_;
  const InitialCorrection own_;
};

}  // namespace driftless
