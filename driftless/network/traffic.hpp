#pragma once

#include "driftless/base/types.hpp"
#include "driftless/graph/mixing_matrix.hpp"

namespace driftless {

// The bytes sent so far. Every exchange puts the same load on every edge, and every global average
// the same load on every node's link to the server, so two counters tell the traffic of each link.
class Traffic {
 public:
  explicit Traffic(const MixingMatrix& mixing)
      : nodes_(static_cast<Bytes>(mixing.nodes())),
        edges_(static_cast<Bytes>(mixing.edges())),
        max_degree_(static_cast<Bytes>(mixing.max_degree())) {}

  void count_exchange(Bytes message) { edge_ += message; }
  void count_global_average(Bytes message) { uplink_ += message; }

  // Goes on counting from these figures.
  void resume(Bytes edge, Bytes uplink) {
    edge_ = edge;
    uplink_ = uplink;
  }

  Bytes edge() const { return edge_; }      // over one edge, in each direction
  Bytes uplink() const { return uplink_; }  // from one node to the server, and as many back

  Bytes total() const { return 2 * edges_ * edge_ + 2 * nodes_ * uplink_; }

  // What the busiest point has sent and received: a node with the most neighbours, or the server.
  Bytes busiest() const {
    const Bytes node = 2 * max_degree_ * edge_ + 2 * uplink_;
    const Bytes server = 2 * nodes_ * uplink_;
    return node > server ? node : server;
  }

 private:
  Bytes nodes_, edges_, max_degree_;
  Bytes edge_ = 0;
  Bytes uplink_ = 0;
};

}  // namespace driftless
