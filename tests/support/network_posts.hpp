#pragma once

#include <map>
#include <vector>

#include "driftless/network/network.hpp"

namespace driftless::testing {

// What Network::state holds of a node.
struct NodePost {
  struct Late {
    std::int64_t rounds = 0;  // from the last round until it is due
    Step mix = 0;
    NodeId from = 0;
    std::vector<Vector<double>> flows;
  };
  std::vector<Late> late;
  std::map<NodeId, Vector<double>> ledger;
  std::vector<Vector<double>> believed;
};

// Of all nodes, where one process hosts them.
std::vector<NodePost> posts_of(const Network& network);

// The sum of the flows of row k that are under way to members; the last row for −1.
Vector<double> under_way(const Network& network, Index dim, Index k);

}  // namespace driftless::testing
