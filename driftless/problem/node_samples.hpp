#pragma once

#include <optional>
#include <vector>

#include "driftless/base/hosting.hpp"
#include "driftless/base/processes.hpp"
#include "driftless/data/split.hpp"

namespace driftless {

// Who has which samples: those of the hosted nodes, and how many every node has.
struct NodeSamples {
  // All nodes are hosted here.
  explicit NodeSamples(Partition partition);
  // The samples of the hosted nodes alone. What is told of all nodes is left to `exchange`.
  NodeSamples(NodeRange range, Partition of_hosted) : hosted(range), own(std::move(of_hosted)) {}

  const std::vector<SampleId>& operator[](NodeId node) const { return of(own, node); }
  const std::vector<SampleId>& of(const Partition& partition, NodeId node) const {
    return partition[static_cast<std::size_t>(node - hosted.first)];
  }

  // Takes that share of every node's samples out of training, one sample at least, unless the node
  // has only one. Which ones depends on the seed and the node alone.
  void hold_out(double share, std::uint64_t seed);

  // Collective: tells all nodes' counts of samples, and of each class.
  void exchange(const Processes& processes, const Dataset& train);
  // Collective: finds how far the numbers to foretell are spread, where the test samples have any.
  void measure_targets(const Processes& processes, const Dataset& test);
  // After `exchange`: lets a node count in f by the share of all samples that it has.
  void weigh_by_samples();

  NodeRange hosted;
  Partition own;            // that the hosted nodes train on, in order
  Partition held_out = {};  // from training, for validation; empty: none
  Partition tests = {};     // test samples of the hosted nodes; empty: one set for all
  std::vector<std::int64_t> counts = {};  // of training samples, of all nodes
  std::vector<double> weights = {};       // of all nodes, 1 on average; empty: all 1
  // Σ (y − ȳ)² of all test samples; unset where all are the same, of which nothing can be
  // explained.
  std::optional<double> target_spread = {};
  std::optional<ToldSplit> told = {};
};

}  // namespace driftless
