#pragma once

#include <vector>

#include "driftless/network/network.hpp"
#include "driftless/network/scratch.hpp"
#include "driftless/problem/problem.hpp"

namespace driftless {

// The local steps of a round, at every node: y ← x_i, some steps of y, and what the node makes of
// where it got to.
//
// Nodes walk side by side, each through all its steps with one scratch vector a worker. Where a
// problem is quicker with the gradients of all nodes at once, they take each step together. Both
// give the same bits.
template <class Real>
class LocalWalk {
 public:
  using Map = Eigen::Map<Vector<Real>>;

  LocalWalk(const Problem<Real>& problem, const Network& network)
      : at_once_(problem.at_once()), y_(problem.dim()), g_(problem.dim()) {
    if (at_once_ == nullptr) return;
    all_y_ = Rows<Real>(network.hosted(), problem.dim());
    all_g_ = all_y_;
  }

  // at_work(work) calls work(i) for each node; steps(i) says how many node i takes; `name` names
  // the first draw of node 0. step(draw, y, g) takes one step with room for its gradient;
  // move(i, y, g) takes one whose gradient is there.
  template <class AtWork, class Steps, class OneStep, class Move, class Finish>
  void run(const AtWork& at_work, const Rows<Real>& x, Draw name, const Steps& steps,
           const OneStep& step, const Move& move, const Finish& finish) {
    if (at_once_ != nullptr) {
      run_together(at_work, x, name, steps, move, finish);
      return;
    }
    at_work([&](NodeId i) {
      auto y = y_.get();
      auto g = g_.get();
      y = x[i];
      Draw draw = name;
      draw.node = i;
      const Step all = steps(i);
      for (draw.step = 0; draw.step < all; ++draw.step) step(draw, y, g);
      finish(i, y);
    });
  }

 private:
  template <class AtWork, class Steps, class Move, class Finish>
  void run_together(const AtWork& at_work, const Rows<Real>& x, Draw draw, const Steps& steps,
                    const Move& move, const Finish& finish) {
    const NodeRange hosted = x.hosted();
    steps_.assign(static_cast<std::size_t>(hosted.size()), 0);  // 0: of those not at work, too
    const auto steps_of = [&](NodeId i) -> Step& {
      return steps_[static_cast<std::size_t>(i - hosted.first)];
    };
    at_work([&](NodeId i) {
      all_y_[i] = x[i];
      steps_of(i) = steps(i);
    });
    for (draw.step = 0;; ++draw.step) {
      requests_.clear();
      for (draw.node = hosted.first; draw.node < hosted.last; ++draw.node) {
        if (draw.step >= steps_of(draw.node)) continue;
        requests_.push_back({draw, all_y_.row(draw.node), all_g_.row(draw.node)});
      }
      if (requests_.empty()) break;
      at_once_->gradients(requests_);
      at_work([&](NodeId i) {
        if (draw.step < steps_of(i)) move(i, all_y_[i], all_g_[i]);
      });
    }
    at_work([&](NodeId i) { finish(i, all_y_[i]); });
  }

  const GradientsAtOnce<Real>* at_once_;
  Scratch<Real> y_, g_;
  // Of the problems that have all gradients at once.
  Rows<Real> all_y_, all_g_;
  std::vector<Step> steps_;
  std::vector<GradientRequest<Real>> requests_;
};

}  // namespace driftless
