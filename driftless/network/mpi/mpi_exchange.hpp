#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "driftless/base/hosting.hpp"
#include "driftless/graph/mixing_matrix.hpp"
#include "driftless/network/mpi/mpi_waits.hpp"

namespace driftless {

// Another rank, one of whose nodes is a neighbour of a node hosted here.
struct MpiPeer {
  int rank = 0;
  std::vector<NodeId> sent;      // nodes here with a neighbour there, ascending
  std::vector<NodeId> received;  // nodes there with a neighbour here, ascending
};

// The peers of `rank`, ascending.
std::vector<MpiPeer> find_peers(const WeightRows& links, const Hosting& hosting, int rank);

// The messages of one mix, one to each peer and one from each: buffers and persistent requests. An
// exchange serves all mixes of one size, and each exchange has a tag of its own. The receives of
// the next mix are posted as soon as the buffers of this one are free, so that a message which
// arrives during local work finds its place.
class MpiExchange {
 public:
  // What goes out, packed once for all ranks that get the same nodes.
  struct Parcel {
    std::vector<NodeId> nodes;
    std::vector<std::byte> bytes;
    std::vector<MPI_Request> sends;
    std::vector<int> ranks;  // that they go to
  };

  MpiExchange(const std::vector<MpiPeer>& peers, MpiWaits& waits, MPI_Comm communicator,
              Bytes bytes_a_node, int tag);
  MpiExchange(const MpiExchange&) = delete;
  MpiExchange& operator=(const MpiExchange&) = delete;
  ~MpiExchange();

  Bytes bytes_a_node() const { return bytes_a_node_; }
  std::vector<Parcel>& parcels() { return parcels_; }
  // What came for node peers[peer].received[node].
  const std::byte* from(std::size_t peer, std::size_t node) const {
    return received_[peer].data() + node * bytes_a_node_;
  }

  // Sends what the parcels hold; gives the bytes handed to MPI.
  Bytes send();
  void expect();
  void wait_for_received();
  void wait_for_sent();

 private:
  MpiWaits& waits_;
  Bytes bytes_a_node_;
  std::vector<std::vector<std::byte>> received_;  // of each peer
  std::vector<MPI_Request> receives_;
  bool expecting_ = false;
  std::vector<int> senders_;  // the peers' ranks
  std::vector<Parcel> parcels_;
};

}  // namespace driftless
