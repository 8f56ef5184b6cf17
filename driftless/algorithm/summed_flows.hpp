#pragma once

#include <algorithm>

#include "driftless/algorithm/algorithm.hpp"

namespace driftless {

// What LED, D² and Exact Diffusion are: local steps that a dual y corrects, which sums up what
// mixing has taken from a node so far.
//
//   φ ← x;  K times: φ ← φ − ηg(φ) − y/K;   x' = W φ;   y ← y + φ − x'
//
//   x  model    φ  local model    y  dual    K  local steps    η  rate of a step
//
// Σ_i y_i = 0 for ever. Written so, and not by the models of two rounds, the methods hold where W
// changes from round to round. y is in units of η·gradient: a falling rate finds it too long at
// first.
template <class Real>
class SummedFlows : public Algorithm<Real> {
 public:
  static constexpr bool faithful_letters = true;
  using Algorithm<Real>::Algorithm;

  void round(Round t) final {
    const Real eta = rate(t);

    const auto descent = [&](NodeId i, auto phi, auto g) {
      descend(phi, eta, g);
      descend(phi, beta(), y_[i]);
    };
    this->local_steps(t, descent, [&](NodeId i, auto phi) {
      this->stretch(phi, x_[i], this->steps(i));
      x_[i] = phi;
      y_[i] += phi;
    });
    network_.mix({&x_}, mixing());
    network_.for_each_node([&](NodeId i) { y_[i] -= x_[i]; });
    latest_rate_ = eta;
    gradients_ += options_.local_steps;
  }

  std::vector<NamedRows<Real>> state() final { return {{"x", &x_}, {"y", &y_}}; }
  bool correction(NodeId i, VectorView<Real> c) const final {
    c = y_[i] * (beta() / latest_rate_);
    return true;
  }
  void take_back(NodeId i, const ConstVectorView<Real>& flow) final { y_[i] += flow; }
  void join(NodeId i, Round /*t*/) final { y_[i].setZero(); }

 protected:
  using Algorithm<Real>::network_, Algorithm<Real>::options_, Algorithm<Real>::x_,
      Algorithm<Real>::gradients_;

  virtual Real rate(Round t) const = 0;
  virtual Mixing mixing() const = 0;

 private:
  void begin() final { latest_rate_ = rate(0); }
  void resumed(Round rounds) final { latest_rate_ = rate(std::max<Round>(rounds - 1, 0)); }
  Real beta() const { return Real(1) / static_cast<Real>(options_.local_steps); }

  Rows<Real> y_;
  Real latest_rate_ = 1;  // η of the round before, in whose units y is
};

}  // namespace driftless
