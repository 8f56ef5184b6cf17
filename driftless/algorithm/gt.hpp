#pragma once

#include "driftless/algorithm/algorithm.hpp"
#include "driftless/algorithm/initial_correction.hpp"

namespace driftless {

// Gradient tracking: z_i follows the mean gradient of all nodes.
// P. Di Lorenzo, G. Scutari: NEXT, 2016; A. Nedić, A. Olshevsky, W. Shi: Achieving Geometric
// Convergence for Distributed Optimization over Time-Varying Graphs, 2017.
//
//   x  model    z  tracker    g  the latest gradient    η = η_c·η_s
//
// Sends 2 vectors an edge a round. Σ_i z_i = Σ_i g_i for ever.
template <class Real>
class Gt : public Algorithm<Real> {
 public:
  using Own = InitialCorrection;
  using Algorithm<Real>::Algorithm;

  void round(Round t) final {
    const Real eta = this->local_rate(t) * this->communication_rate();

    network_.for_each_node([&](NodeId i) { descend(x_[i], eta, z_[i]); });
    network_.mix({&x_, &z_});
    network_.for_each_node([&](NodeId i) {
      auto new_g = new_g_.get();
      sample(i, t + 1, new_g);
      z_[i] += new_g - g_[i];
      g_[i] = new_g;
    });
    gradients_ += samples();
  }

  std::vector<NamedRows<Real>> state() final { return {{"x", &x_}, {"z", &z_}, {"g", &g_}}; }
  bool correction(NodeId i, VectorView<Real> c) const final {
    c = (z_[i] - g_[i]) / static_cast<Real>(samples());
    return true;
  }

 protected:
  using Algorithm<Real>::problem_, Algorithm<Real>::network_, Algorithm<Real>::x_,
      Algorithm<Real>::gradients_;

  // The gradient of round t at node i's model, and the samples that it sums.
  virtual void sample(NodeId i, Round t, Eigen::Map<Vector<Real>> g) const {
    problem_.gradient(i, x_[i], this->draw(i, t, 0), g);
  }
  virtual Step samples() const { return 1; }

 private:
  void begin() final {
    network_.for_each_node([&](NodeId i) {
      sample(i, 0, g_[i]);
      z_[i] = g_[i];
    });
    gradients_ += samples();
    if (own_.from_gradients()) network_.average({&z_});
  }

  Rows<Real> z_, g_;
  Scratch<Real> new_g_{this->dim()};
  const InitialCorrection own_ = this->template own<InitialCorrection>();
};

}  // namespace driftless
