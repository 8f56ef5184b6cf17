#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "driftless/algorithm/schedule.hpp"
#include "driftless/base/kernels.hpp"
#include "driftless/network/network.hpp"
#include "driftless/network/scratch.hpp"
#include "driftless/problem/problem.hpp"

namespace driftless {

enum class InitialCorrection {
  zero,      // corrections start at zero
  gradient,  // c_i⁰ = mean_j g_j − g_i, as the theory asks; costs one global average
};

struct AlgorithmOptions {
  Step local_steps = 1;     // K: gradients a node takes between two messages
  double local_rate = 0.1;  // η_c: the length of a local step, before the schedule
  double communication_rate =
      1.0;  // η_s: how far a node follows its K steps; single rates are η_c·η_s
  InitialCorrection initial_correction = InitialCorrection::zero;
  Round global_every = 10;  // H: Gossip-PGA averages exactly every H rounds
  bool lazy = false;        // D² and LED: mix with (I + W)/2
  Schedule schedule = {};   // of the local rate, over rounds
  std::uint64_t seed = 1;   // names the samples
};

template <class Real>
struct NamedRows {
  std::string_view name;
  Rows<Real>* rows;
};

// A decentralised method: models x_i, started once and then moved round by round. It knows nothing
// of threads, processes, files or time.
template <class Real>
class Algorithm {
 public:
  Algorithm(const Problem<Real>& problem, Network& network, const AlgorithmOptions& options)
      : problem_(problem), network_(network), options_(options) {}
  Algorithm(const Algorithm&) = delete;
  Algorithm& operator=(const Algorithm&) = delete;
  virtual ~Algorithm() = default;

  // Begins at the given models.
  void start(Rows<Real> x0) {
    x_ = std::move(x0);
    gradients_ = 0;
    begin();
  }
  virtual void round(Round t) = 0;

  // Goes on after so many rounds: the method was started and then given the state() it had.
  void resume(Round rounds, std::int64_t gradients) {
    gradients_ = gradients;
    resumed(rounds);
  }

  const Rows<Real>& models() const { return x_; }

  const AlgorithmOptions& options() const { return options_; }

  // The stochastic gradients that each node has computed so far.
  std::int64_t gradients() const { return gradients_; }

  // All that round(t) depends on but t itself, by name.
  virtual std::vector<NamedRows<Real>> state() { return {{"x", &x_}}; }

  // What the method adds to node i's gradient so that all nodes agree, where it holds such a thing:
  // written to c, or false.
  virtual bool correction(NodeId i, VectorView<Real> c) const {
    (void)i, (void)c;
    return false;
  }

 protected:
  virtual void begin() = 0;
  // For what follows from the number of rounds and is therefore not in state().
  virtual void resumed(Round rounds) { (void)rounds; }

  Index dim() const { return problem_.dim(); }
  Rows<Real> zero_rows() const { return Rows<Real>(network_.hosted(), dim()); }

  Draw draw(NodeId i, Round t, Step k) const { return {options_.seed, i, t, k}; }
  Real local_rate(Round t) const {
    return static_cast<Real>(options_.local_rate * options_.schedule(t));
  }
  Real communication_rate() const { return static_cast<Real>(options_.communication_rate); }
  Mixing mixing() const { return options_.lazy ? Mixing::lazy : Mixing::plain; }

  const Problem<Real>& problem_;
  Network& network_;
  const AlgorithmOptions options_;
  Rows<Real> x_;  // the models
  std::int64_t gradients_ = 0;
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
