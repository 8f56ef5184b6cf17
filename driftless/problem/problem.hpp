#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "driftless/base/draw.hpp"
#include "driftless/base/kernels.hpp"
#include "driftless/base/types.hpp"
#include "driftless/data/split.hpp"
#include "driftless/problem/model_card.hpp"
#include "driftless/problem/quality.hpp"

namespace driftless {

// The minimiser of f = (1/n) Σ f_i, where it is known.
struct Optimum {
  Vector<double> point;
  double value = 0;
};

// How a model does on samples, as sums over them, so that those of several nodes add up.
struct Tally {
  double loss = 0;
  double correct = 0;  // samples whose class is told right
  double samples = 0;

  double mean_loss() const { return loss / samples; }
  double accuracy() const { return correct / samples; }
};

// What nodes are tested on.
enum class Tests {
  none,
  common,  // all of them on the same samples
  own,     // each on samples of its own
};

// What a problem that learns from samples tells beyond f.
template <class Real>
class Learning : public Interface {
 public:
  virtual std::int64_t samples(NodeId node) const = 0;  // that the node trains on
  // How many passes over its samples a node makes in so many stochastic gradients, on average over
  // the nodes.
  virtual double passes(std::int64_t gradients) const = 0;
  // What f_i(x) has beyond the node's weight times the mean loss of its samples.
  virtual double penalty(const ConstVectorView<Real>& x) const = 0;
  virtual double weight(NodeId /*node*/) const { return 1; }

  virtual Tests tests() const = 0;
  // On the samples that a hosted node is tested on.
  virtual Tally test(NodeId node, const ConstVectorView<Real>& x) const = 0;
  // On the samples that a hosted node holds out from training; meaningless unless it does.
  virtual bool validates() const { return false; }
  virtual Tally validate(NodeId /*node*/, const ConstVectorView<Real>& /*x*/) const { return {}; }
  // Whether samples have classes; else they have numbers.
  virtual bool classifies() const { return true; }
  // Σ (y − ȳ)² over all test samples, where numbers are learnt and there are such samples.
  virtual std::optional<double> target_spread() const { return std::nullopt; }
  // By classes, on the samples that a hosted node is tested on.
  virtual ClassQuality quality(NodeId /*node*/, const ConstVectorView<Real>& /*x*/) const {
    return {};
  }

  // Which node has how many samples of which class, of all nodes; null: there are no classes, or
  // too many to tell.
  virtual const ToldSplit* split() const { return nullptr; }
  // The file that a node has its samples from; empty: there is none of its own.
  virtual std::string site(NodeId /*node*/) const { return ""; }
  // What else a user of the trained model must know; null: there is nothing.
  virtual const ModelCard* card() const { return nullptr; }
};

// g ← ∇F_i(x; ξ), for the node and the sample that the draw names.
template <class Real>
struct GradientRequest {
  Draw draw;
  const Real* x;
  Real* g;
};

// What a problem has that is quicker with the gradients of several nodes in one call.
template <class Real>
class GradientsAtOnce : public Interface {
 public:
  // The nodes differ, and ascend.
  virtual void gradients(std::span<const GradientRequest<Real>> requests) const = 0;
};

// n local objectives f_i over models of dim() numbers; together they are f = (1/n) Σ f_i.
//
// All functions are const and are called for different nodes at the same time, so an implementation
// keeps no state between calls: whatever is random comes from the draw it is given.
template <class Real>
class Problem : public Interface {
 public:
  virtual NodeId nodes() const = 0;
  virtual Index dim() const = 0;

  // The model that a node starts from: zero, unless a problem says otherwise.
  virtual void start(NodeId /*node*/, VectorView<Real> x) const { x.setZero(); }

  // g ← ∇F_i(x; ξ), an unbiased estimate of ∇f_i(x) whose sample ξ the draw names.
  virtual void gradient(NodeId node, const ConstVectorView<Real>& x, const Draw& draw,
                        VectorView<Real> g) const = 0;

  // y ← y − rate · (∇F_i(y; ξ) + c), one local step with a correction; `g` is room to work in.
  // Override it where that takes fewer passes than its two parts, with the same bits.
  virtual void step(NodeId node, VectorView<Real> y, Real rate, const ConstVectorView<Real>& c,
                    const Draw& draw, VectorView<Real> g) const {
    gradient(node, y, draw, g);
    kernel::descend(y.data(), rate, g.data(), c.data(), y.size());
  }

  // Null where nodes are asked for one by one, side by side.
  virtual const GradientsAtOnce<Real>* at_once() const { return nullptr; }

  // g ← ∇f_i(x). The draw serves problems whose f_i is itself an expectation that can only be
  // sampled.
  virtual void full_gradient(NodeId node, const ConstVectorView<Real>& x, const Draw& draw,
                             VectorView<Real> g) const = 0;

  virtual double loss(NodeId node, const ConstVectorView<Real>& x) const = 0;  // f_i(x)

  // The largest curvature of any f_i (L of the theory), where it is known.
  virtual std::optional<double> smoothness() const { return std::nullopt; }
  virtual const Optimum* optimum() const { return nullptr; }

  // Null where nothing is learnt from samples.
  virtual const Learning<Real>* learning() const { return nullptr; }

  // Node i's share of f(x) − f*, where `best` is the minimum of the mean over all nodes, or over
  // some. Only the mean over the same nodes has a meaning. Override it where a closed form avoids
  // the difference of two nearly equal numbers.
  virtual double suboptimality(NodeId node, const ConstVectorView<Real>& x,
                               const Optimum& best) const {
    return loss(node, x) - best.value;
  }
};

}  // namespace driftless
