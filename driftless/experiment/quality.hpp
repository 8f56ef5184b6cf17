#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driftless/network/network.hpp"
#include "driftless/problem/problem.hpp"

namespace driftless {

// How well a node is served, on the test samples that it has, or that all have.
struct NodeFigures {
  std::string site = {};            // its file; empty: it has none of its own
  std::int64_t samples = 0;         // that it trained on
  Tally average = {};               // of the average model
  std::optional<Tally> own = {};    // of the model that the node has itself, where it was tested
  std::optional<double> area = {};  // under the curve, of the average model, for two classes
};

// How good the models are that a run ended with.
struct RunQuality {
  Tests tests = Tests::none;
  bool classifies = true;
  Tally all = {};                 // of the average model, on all test samples
  std::optional<double> r2 = {};  // where numbers are learnt
  ClassTally classes = {};        // of the average model; empty: no classes
  // Under the curve, for two classes. Where nodes have test samples of their own, the mean of their
  // areas, weighted by their samples: samples of two nodes are not compared.
  std::optional<double> area = {};
  std::vector<NodeFigures> nodes = {};  // empty: there are too many to tell

  // The node whose test samples the average model serves worst; null: all are tested on the same.
  const NodeFigures* worst() const;
};

// Collective. None where there are no test samples. Unless every node is asked for, the nodes' own
// models are not tested.
template <class Real>
std::optional<RunQuality> measure_quality(const Learning<Real>& learning, const Network& network,
                                          const Rows<Real>& models, const Vector<Real>& mean,
                                          bool every_node);

}  // namespace driftless
