#pragma once

#include <vector>

#include "driftless/network/network.hpp"
#include "driftless/problem/problem.hpp"

namespace driftless {

// Stands between a method and its problem and watches where gradients are asked for: how far local
// steps lead the nodes away from the average they left.
template <class Real>
class DriftMeter final : public Problem<Real> {
 public:
  explicit DriftMeter(const Problem<Real>& problem)
      : problem_(problem), seen_(static_cast<std::size_t>(problem.nodes())) {}

  // Watches the local steps of round t, which begins with the average `center`.
  void watch(Round t, Vector<Real> center) {
    round_ = t;
    center_ = std::move(center);
    std::fill(seen_.begin(), seen_.end(), Seen{});
  }

  // (1/nK) Σ_i Σ_k ‖x_i^{(t)+k} − x̄^{(t)}‖². The term k = 0 is the consensus distance at the
  // beginning: methods that take the first gradient of a round in the round before are not seen
  // there.
  double drift(const Network& network, double consensus_before) const {
    return network.mean([&](NodeId i) {
      const Seen& seen = seen_[static_cast<std::size_t>(i)];
      return (consensus_before + seen.distance) / (1.0 + static_cast<double>(seen.steps));
    });
  }

  NodeId nodes() const override { return problem_.nodes(); }
  Index dim() const override { return problem_.dim(); }
  void start(NodeId i, VectorView<Real> x) const override { problem_.start(i, x); }
  void gradient(NodeId i, const ConstVectorView<Real>& x, const Draw& draw,
                VectorView<Real> g) const override {
    note(i, x, draw);
    problem_.gradient(i, x, draw, g);
  }
  void step(NodeId i, VectorView<Real> y, Real rate, const ConstVectorView<Real>& c,
            const Draw& draw, VectorView<Real> g) const override {
    note(i, y, draw);
    problem_.step(i, y, rate, c, draw, g);
  }
  void full_gradient(NodeId i, const ConstVectorView<Real>& x, const Draw& draw,
                     VectorView<Real> g) const override {
    note(i, x, draw);
    problem_.full_gradient(i, x, draw, g);
  }
  double loss(NodeId i, const ConstVectorView<Real>& x) const override {
    return problem_.loss(i, x);
  }

 private:
  struct Seen {
    double distance = 0;
    Step steps = 0;
  };

  void note(NodeId i, const ConstVectorView<Real>& x, const Draw& draw) const {
    if (draw.round != round_ || draw.step == 0) return;
    Seen& seen = seen_[static_cast<std::size_t>(i)];
    seen.distance += static_cast<double>((x - center_).squaredNorm());
    ++seen.steps;
  }

  const Problem<Real>& problem_;
  Round round_ = -1;
  Vector<Real> center_;
  mutable std::vector<Seen> seen_;  // each node writes its own, one thread at a time
};

}  // namespace driftless
