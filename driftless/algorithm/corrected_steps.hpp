#pragma once

#include "driftless/algorithm/algorithm.hpp"
#include "driftless/algorithm/initial_correction.hpp"

namespace driftless {

// What methods of corrected local steps share: a correction c_i, which cancels what node i's
// gradient has of its own. Σ_i c_i = 0 for ever.
template <class Real>
class CorrectedSteps : public Algorithm<Real> {
 public:
  using Own = InitialCorrection;
  using Algorithm<Real>::Algorithm;

  std::vector<NamedRows<Real>> state() final { return {{"x", &x_}, {"c", &c_}}; }
  bool correction(NodeId i, VectorView<Real> c) const final {
    c = c_[i];
    return true;
  }
  void take_back(NodeId i, const ConstVectorView<Real>& flow) final { c_[i] -= flow; }
  void join(NodeId i, Round /*t*/) final { c_[i].setZero(); }

 protected:
  using Algorithm<Real>::problem_, Algorithm<Real>::network_, Algorithm<Real>::options_,
      Algorithm<Real>::x_, Algorithm<Real>::gradients_;

  Rows<Real> c_;
  // Of one round: the direction, or the gradient, that a node tells of.
  Rows<Real> z_ = this->zero_rows();

 private:
  // c_i ← mean_j g_j − g_i of the first gradients, by one global average; or zero.
  void begin() final {
    if (!own_.from_gradients()) return;
    network_.for_each_node([&](NodeId i) {
      problem_.gradient(i, x_[i], this->draw(i, 0, 0), c_[i]);
      z_[i] = c_[i];
    });
    gradients_ += 1;
    network_.average({&z_});
    network_.for_each_node([&](NodeId i) { c_[i] = z_[i] - c_[i]; });
  }

  const InitialCorrection own_ = this->template own<InitialCorrection>();
};

}  // namespace driftless
