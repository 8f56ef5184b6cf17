#pragma once

#include <algorithm>
#include <vector>

#include "driftless/base/types.hpp"
#include "driftless/graph/mixing_matrix.hpp"

namespace driftless {

// What was sent so far. Over links that are the same in every round, and to a server that everyone
// reaches, each link bears the same load: one number tells it. All else is counted by node.
struct TrafficCounts {
  Bytes edge = 0;    // over one fixed link, in each direction
  Bytes uplink = 0;  // from one node to the server, and as many back
  // Over links that come and go: of each node, sent and received; of the server likewise; and what
  // all nodes and the server have sent.
  std::vector<Bytes> nodes = {};
  Bytes server = 0;
  Bytes sent = 0;

  bool operator==(const TrafficCounts&) const = default;
};

class Traffic {
 public:
  // Of a network whose links are fixed, and of one whose links come and go.
  explicit Traffic(const WeightRows& links) : nodes_(links.size()) {
    edges_ = static_cast<Bytes>(links.nodes.size() - static_cast<std::size_t>(nodes_)) / 2;
    for (NodeId i = 0; i < nodes_; ++i) {
      max_degree_ = std::max<Bytes>(max_degree_, links.row(i).nodes.size() - 1);
    }
  }
  explicit Traffic(NodeId nodes) : nodes_(nodes) {}

  NodeId nodes() const { return nodes_; }
  const TrafficCounts& counts() const { return counts_; }
  void resume(TrafficCounts counts) { counts_ = std::move(counts); }

  // A letter of so many bytes each way over every fixed link, or over every one of these links.
  void count_exchange(Bytes letter) { counts_.edge += letter; }
  void count_exchange(const WeightRows& links, Bytes letter) {
    need_nodes();
    for (NodeId i = 0; i < nodes_; ++i) {
      const Bytes sent = (links.row(i).nodes.size() - 1) * letter;
      counts_.nodes[static_cast<std::size_t>(i)] += 2 * sent;
      counts_.sent += sent;
    }
  }
  // From every node to the server and back, or from this one.
  void count_global_average(Bytes letter) { counts_.uplink += letter; }
  void count_uplink(NodeId node, Bytes letter) {
    need_nodes();
    counts_.nodes[static_cast<std::size_t>(node)] += 2 * letter;
    counts_.server += 2 * letter;
    counts_.sent += 2 * letter;
  }

  Bytes edge() const { return counts_.edge; }
  Bytes uplink() const { return counts_.uplink; }
  Bytes total() const {
    return 2 * edges_ * counts_.edge + 2 * static_cast<Bytes>(nodes_) * counts_.uplink +
           counts_.sent;
  }

  // What the busiest point has sent and received: a node, or the server.
  Bytes busiest() const {
    const Bytes irregular = counts_.nodes.empty() ? 0 : std::ranges::max(counts_.nodes);
    const Bytes node = 2 * max_degree_ * counts_.edge + 2 * counts_.uplink + irregular;
    const Bytes server = 2 * static_cast<Bytes>(nodes_) * counts_.uplink + counts_.server;
    return std::max(node, server);
  }

 private:
  void need_nodes() { counts_.nodes.resize(static_cast<std::size_t>(nodes_)); }

  NodeId nodes_;
  Bytes edges_ = 0, max_degree_ = 0;
  TrafficCounts counts_;
};

}  // namespace driftless
