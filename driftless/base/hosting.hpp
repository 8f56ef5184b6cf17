#pragma once

#include "driftless/base/types.hpp"

namespace driftless {

// The nodes a process hosts: first … last − 1.
struct NodeRange {
  NodeId first = 0;
  NodeId last = 0;
  NodeId size() const { return last - first; }
  bool contains(NodeId node) const { return first <= node && node < last; }
  bool operator==(const NodeRange&) const = default;
};

// Who hosts whom: every process hosts a contiguous block of the nodes, and blocks differ by one
// node at most.
struct Hosting {
  NodeId nodes = 0;
  int processes = 1;

  NodeRange of(int process) const {
    const auto begin = [&](Index k) { return static_cast<NodeId>(Index{nodes} * k / processes); };
    return {begin(process), begin(Index{process} + 1)};
  }
  int host_of(NodeId node) const {
    auto process = static_cast<int>(Index{node} * processes / nodes);
    while (node >= of(process).last) ++process;
    return process;
  }
};

}  // namespace driftless
