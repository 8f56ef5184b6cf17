#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "driftless/algorithm/local_walk.hpp"
#include "driftless/algorithm/options.hpp"
#include "driftless/base/kernels.hpp"
#include "driftless/network/network.hpp"
#include "driftless/problem/problem.hpp"

namespace driftless {

template <class Real>
struct NamedRows {
  std::string_view name;
  Rows<Real>* rows;
};

// A decentralised method: models x_i, started once and then moved round by round. It knows nothing
// of threads, processes, files or time, nor of links that drop and letters that are late. Where
// nodes may be lost and come back, it says what that means for its rows (Member).
template <class Real>
class Algorithm : public Member<Real> {
 public:
  Algorithm(const Problem<Real>& problem, Network& network, const AlgorithmOptions& options)
      : problem_(problem), network_(network), options_(options), walk_(problem, network) {}

  // Begins at the given models.
  void start(Rows<Real> x0) {
    clear();
    x_ = std::move(x0);
    gradients_ = 0;
    network_.start(x_);
    begin();
  }
  // Goes on to round t on the network, and does it.
  void advance(Round t) {
    network_.begin_round(t, x_, *this);
    round(t);
  }
  virtual void round(Round t) = 0;

  // Instead of start: `restore` fills the rows of state() with what they held after so many rounds.
  template <class Restore>
  void resume(Round rounds, std::int64_t gradients, const Restore& restore) {
    prepare_to_resume();
    clear();
    restore(state());
    gradients_ = gradients;
    resumed(rounds);
  }

  const Rows<Real>& models() const { return x_; }

  const AlgorithmOptions& options() const { return options_; }

  // The stochastic gradients that each node has computed so far.
  std::int64_t gradients() const { return gradients_; }

  // All that round(t) depends on but t itself, by name.
  virtual std::vector<NamedRows<Real>> state() { return {{"x", &x_}}; }

  // Writes to c what the method adds to node i's gradient so that all nodes agree. Returns false
  // where the method holds no such thing.
  virtual bool correction(NodeId /*i*/, VectorView<Real> /*c*/) const { return false; }

 protected:
  // Takes the first gradients, where the method needs any before its first round. The rows of
  // state() are zero, but for the models.
  virtual void begin() {}
  // Makes the rows of state(), where these are known only once the method begins.
  virtual void prepare_to_resume() {}
  // For what follows from the number of rounds and is therefore not in state().
  virtual void resumed(Round /*rounds*/) {}

  Index dim() const { return problem_.dim(); }
  Rows<Real> zero_rows() const { return Rows<Real>(network_.hosted(), dim()); }
  // The method's own options. Throws ConfigError where one is out of bounds or not the method's.
  template <class Own>
  Own own() const {
    return options_of<Own>().read(options_.own);
  }

  Draw draw(NodeId i, Round t, Step k) const { return {options_.seed, i, t, k}; }
  Real local_rate(Round t) const {
    return static_cast<Real>(options_.local_rate * options_.schedule(t));
  }
  Real communication_rate() const { return static_cast<Real>(options_.communication_rate); }
  // The local steps that node i does in this round: K, unless the network says that it is slow.
  Step steps(NodeId i) const { return network_.steps(i, options_.local_steps); }
  // How much a step counts of a node that did fewer than K: all nodes' directions weigh the same,
  // or the limit would lean towards those that do more. J. Wang et al.: Tackling the Objective
  // Inconsistency Problem in Heterogeneous Federated Optimization, NeurIPS 2020.
  Real weight_of_step(Step done) const {
    return static_cast<Real>(options_.local_steps) / static_cast<Real>(done);
  }
  // y ← x + (K/done)(y − x), where y is what so many steps made of x.
  void stretch(Eigen::Map<Vector<Real>> y, Eigen::Map<Vector<Real>> x, Step done) const {
    if (done != options_.local_steps) y = x + weight_of_step(done) * (y - x);
  }

  // The nodes that take local steps in a round.
  virtual void at_work(FunctionRef<void(NodeId)> work) { network_.for_each_node(work); }
  // At each node at work: y ← x_i, then K_i times g ← ∇F_i(y; ξ) and move(i, y, g), then finish(i,
  // y).
  template <class Move, class Finish>
  void local_steps(Round t, const Move& move, const Finish& finish) {
    const auto step = [&](const Draw& draw, auto y, auto g) {
      problem_.gradient(draw.node, y, draw, g);
      move(draw.node, y, g);
    };
    const auto all = [&](NodeId i) { return steps(i); };
    walk(x_, t, all, step, move, finish);
  }
  // The same with y ← y − η_c(∇F_i(y; ξ) + c_i) as the move. The last steps may be left for
  // `finish`.
  template <class Finish>
  void corrected_steps(Round t, Rows<Real>& c, const Finish& finish, Step left = 0) {
    const Real rate = local_rate(t);
    const auto step = [&](const Draw& draw, auto y, auto g) {
      problem_.step(draw.node, y, rate, c[draw.node], draw, g);
    };
    const auto move = [&](NodeId i, auto y, auto g) {
      kernel::descend(y.data(), rate, g.data(), c.row(i), y.size());
    };
    walk(
        x_, t, [&](NodeId i) { return steps(i) - left; }, step, move, finish);
  }
  // What both are made of; LocalWalk::run says what the functions are.
  template <class Steps, class OneStep, class Move, class Finish>
  void walk(const Rows<Real>& from, Round t, const Steps& steps_of, const OneStep& step,
            const Move& move, const Finish& finish) {
    const auto at_work_too = [&](const auto& work) { at_work(work); };
    walk_.run(at_work_too, from, draw(0, t, 0), steps_of, step, move, finish);
  }

  const Problem<Real>& problem_;
  Network& network_;
  const AlgorithmOptions options_;
  Rows<Real> x_;  // the models
  std::int64_t gradients_ = 0;

 private:
  void clear() {
    for (const NamedRows<Real>& each : state()) *each.rows = zero_rows();
  }

  LocalWalk<Real> walk_;
};

// Where the nodes of a problem start.
template <class Real>
Rows<Real> starting_models(const Problem<Real>& problem, const Network& network) {
  Rows<Real> x0(network.hosted(), problem.dim());
  network.for_each_node([&](NodeId i) { problem.start(i, x0[i]); });
  return x0;
}

// y ← y − rate·g, and y ← y − rate·(g + c).
template <class Real>
void descend(Eigen::Map<Vector<Real>> y, Real rate, Eigen::Map<Vector<Real>> g) {
  kernel::descend(y.data(), rate, g.data(), y.size());
}
template <class Real>
void descend(Eigen::Map<Vector<Real>> y, Real rate, Eigen::Map<Vector<Real>> g,
             Eigen::Map<Vector<Real>> c) {
  kernel::descend(y.data(), rate, g.data(), c.data(), y.size());
}

}  // namespace driftless
