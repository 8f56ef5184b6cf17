#pragma once

#include <vector>

#include "driftless/network/network.hpp"
#include "driftless/problem/problem.hpp"

namespace driftless {

// A tally of every node, in order, and their sum; who is no member has an empty one.
struct NodeTallies {
  std::vector<Tally> nodes;
  Tally all = {};
};

// Collective: `of` tells those of the hosted nodes.
template <class Of>
NodeTallies gather_tallies(const Network& network, const Of& of) {
  NodeTallies found{.nodes = std::vector<Tally>(static_cast<std::size_t>(network.nodes()))};
  network.for_each_member([&](NodeId i) { found.nodes[static_cast<std::size_t>(i)] = of(i); });
  for (double Tally::*field : {&Tally::loss, &Tally::correct, &Tally::samples}) {
    const std::vector<double> values =
        network.gather([&](NodeId i) { return found.nodes[static_cast<std::size_t>(i)].*field; });
    for (std::size_t i = 0; i < values.size(); ++i) {
      found.nodes[i].*field = values[i];
      found.all.*field += values[i];
    }
  }
  return found;
}

}  // namespace driftless
