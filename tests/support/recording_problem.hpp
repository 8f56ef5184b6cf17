#pragma once

#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "driftless/problem/problem.hpp"

namespace driftless::testing {

// Hands everything on to a problem and remembers the gradients that were taken.
class RecordingProblem final : public Problem<double> {
 public:
  explicit RecordingProblem(const Problem<double>& problem)
      : problem_(problem), nodes_(static_cast<std::size_t>(problem.nodes())) {}

  // Stochastic gradients that node i has asked for.
  int calls(NodeId i) const { return nodes_[static_cast<std::size_t>(i)].calls; }

  // The seed, round and step of each sample that node i has taken.
  const std::set<std::tuple<std::uint64_t, Round, Step>>& samples(NodeId i) const {
    return nodes_[static_cast<std::size_t>(i)].samples;
  }

  // Σ_k mean_i g_i over the samples of a round. A sample that is taken twice counts once: methods
  // take it at the same point.
  Vector<double> mean_gradient_sum(Round round) const {
    Vector<double> sum = Vector<double>::Zero(dim());
    for (const Node& node : nodes_) sum += node.sum(round, dim()).first;
    return sum / nodes();
  }
  // The same where nodes take fewer samples than K, and their mean counts K times.
  Vector<double> mean_gradient_sum(Round round, Step K) const {
    Vector<double> sum = Vector<double>::Zero(dim());
    for (const Node& node : nodes_) {
      const auto [own, count] = node.sum(round, dim());
      sum += own * K / count;
    }
    return sum / nodes();
  }

  NodeId nodes() const override { return problem_.nodes(); }
  Index dim() const override { return problem_.dim(); }
  void start(NodeId i, VectorView<double> x) const override { problem_.start(i, x); }
  void gradient(NodeId i, const ConstVectorView<double>& x, const Draw& draw,
                VectorView<double> g) const override {
    problem_.gradient(i, x, draw, g);
    remember(i, draw, g);
    ++nodes_[static_cast<std::size_t>(i)].calls;
  }
  void full_gradient(NodeId i, const ConstVectorView<double>& x, const Draw& draw,
                     VectorView<double> g) const override {
    problem_.full_gradient(i, x, draw, g);
    remember(i, draw, g);
  }
  double loss(NodeId i, const ConstVectorView<double>& x) const override {
    return problem_.loss(i, x);
  }
  std::optional<double> smoothness() const override { return problem_.smoothness(); }
  const Optimum* optimum() const override { return problem_.optimum(); }

 private:
  struct Node {
    std::map<std::pair<Round, Step>, Vector<double>> gradients;
    std::set<std::tuple<std::uint64_t, Round, Step>> samples;
    int calls = 0;

    // Of the samples of a round, and how many there are.
    std::pair<Vector<double>, int> sum(Round round, Index dim) const {
      std::pair<Vector<double>, int> all{Vector<double>::Zero(dim), 0};
      for (const auto& [sample, g] : gradients) {
        if (sample.first != round) continue;
        all.first += g;
        ++all.second;
      }
      return all;
    }
  };

  void remember(NodeId i, const Draw& draw, const ConstVectorView<double>& g) const {
    Node& node = nodes_[static_cast<std::size_t>(i)];
    node.gradients[{draw.round, draw.step}] = g;
    node.samples.emplace(draw.seed, draw.round, draw.step);
  }

  const Problem<double>& problem_;
  mutable std::vector<Node> nodes_;  // each node writes its own, one thread at a time
};

}  // namespace driftless::testing
