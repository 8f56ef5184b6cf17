#pragma once

#include <map>
#include <memory>

#include "driftless/network/peers/edge.hpp"
#include "driftless/network/peers/peer_network.hpp"

namespace driftless::peers::testing {

// The sites of a test: this process is one of them, and all run the same tests in the same order.
// Each has an edge to each other one, which serves all tests.
struct Processes {
  int count = 1;
  int own = 0;
  std::map<int, std::shared_ptr<Edge>> edges;
};
extern Processes processes;

// For the contracts: networks over as many sites as have a node.
template <class Number>
struct Peers {
  using Real = Number;
  static std::unique_ptr<PeerNetwork> make(MixingMatrix mixing) {
    const NodeId nodes = mixing.nodes();
    return make(std::move(mixing), nodes);
  }
  static std::unique_ptr<PeerNetwork> make(Conditions conditions) {
    const NodeId nodes = conditions.links->nodes();
    return make(std::move(conditions), nodes);
  }

 private:
  template <class Given>
  static std::unique_ptr<PeerNetwork> make(Given given, NodeId nodes) {
    const int count = std::min<int>(processes.count, nodes);
    if (processes.own >= count) return nullptr;
    Sites sites{.count = count,
                .own = processes.own,
                .edges = processes.edges,
                .patience = {.seconds = 30},
                .models_travel = true};
    std::erase_if(sites.edges, [&](const auto& edge) { return edge.first >= count; });
    return std::make_unique<PeerNetwork>(std::move(given), std::move(sites));
  }
};

}  // namespace driftless::peers::testing
