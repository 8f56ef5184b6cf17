#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "driftless/network/block_network.hpp"
#include "driftless/network/mpi/mpi_waits.hpp"

namespace driftless {

// The messages of one mix between ranks: buffers and persistent requests. An exchange serves all
// mixes of one size, and each exchange has a tag of its own. The receives of the next mix are
// posted as soon as the buffers of this one are free, so that a message which arrives during local
// work finds its place.
class MpiExchange final : public Exchange {
 public:
  MpiExchange(const std::vector<LinkedProcess>& linked, MpiWaits& waits, MPI_Comm communicator,
              Bytes bytes_a_node, int tag);
  ~MpiExchange() override;

  Bytes send(PackNode pack) override;
  void wait_for_received() override;
  const std::byte* from(std::size_t process, std::size_t node) const override {
    return received_[process].data() + node * bytes_a_node_;
  }
  void finish(bool again) override;

 private:
  // What goes out to all ranks that get the same nodes.
  struct Outgoing {
    std::vector<NodeId> nodes;
    std::vector<std::byte> bytes;
    std::vector<MPI_Request> sends;
    std::vector<int> ranks;
  };

  void expect();

  MpiWaits& waits_;
  Bytes bytes_a_node_;
  std::vector<std::vector<std::byte>> received_;  // of each linked rank
  std::vector<MPI_Request> receives_;
  bool expecting_ = false;
  std::vector<int> senders_;  // the linked ranks
  std::vector<Outgoing> outgoing_;
};

}  // namespace driftless
