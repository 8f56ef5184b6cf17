#pragma once

#include "driftless/algorithm/algorithm.hpp"
#include "driftless/algorithm/initial_correction.hpp"

namespace driftless {

// What methods of gradient tracking share: a tracker z_i, which follows the mean gradient of all
// nodes, and node i's latest gradient g_i. Σ_i z_i = Σ_i g_i for ever.
template <class Real>
class Tracking : public Algorithm<Real> {
 public:
  using Own = InitialCorrection;
  using Algorithm<Real>::Algorithm;

  std::vector<NamedRows<Real>> state() final { return {{"x", &x_}, {"z", &z_}, {"g", &g_}}; }
  bool correction(NodeId i, VectorView<Real> c) const final {
    c = (z_[i] - g_[i]) / static_cast<Real>(samples());
    return true;
  }
  void take_back(NodeId i, const ConstVectorView<Real>& flow) final { z_[i] -= flow; }
  void join(NodeId i, Round t) final {  // z = g, the first gradient
    z_[i].setZero();
    g_[i].setZero();
    track(this->draw(i, t, 0), x_[i]);
  }

 protected:
  using Algorithm<Real>::problem_, Algorithm<Real>::network_, Algorithm<Real>::options_,
      Algorithm<Real>::x_, Algorithm<Real>::gradients_;

  // The gradient of node i at a model, and the samples that it sums.
  virtual void sample(const Draw& draw, const ConstVectorView<Real>& at,
                      Eigen::Map<Vector<Real>> g) const {
    problem_.gradient(draw.node, at, draw, g);
  }
  virtual Step samples() const { return 1; }

  // z ← z + g(at) − g
  void track(const Draw& draw, const ConstVectorView<Real>& at) {
    auto new_g = new_g_.get();
    sample(draw, at, new_g);
    z_[draw.node] += new_g - g_[draw.node];
    g_[draw.node] = new_g;
  }

  Rows<Real> z_, g_;

 private:
  void begin() final {
    network_.for_each_node([&](NodeId i) { track(this->draw(i, 0, 0), x_[i]); });
    gradients_ += samples();
    if (own_.from_gradients()) network_.average({&z_});
  }

  Scratch<Real> new_g_{this->dim()};
  const InitialCorrection own_ = this->template own<InitialCorrection>();
};

}  // namespace driftless
