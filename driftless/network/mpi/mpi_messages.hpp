#pragma once

#include <mpi.h>

#include <vector>

#include "driftless/network/mpi/mpi_waits.hpp"

namespace driftless {

// Messages that are under way at once. What they send and receive must last until they are waited
// for; those that nobody waited for are taken back.
class MpiMessages {
 public:
  MpiMessages(MpiWaits& waits, MPI_Comm communicator, int tag)
      : waits_(waits), communicator_(communicator), tag_(tag) {}
  MpiMessages(const MpiMessages&) = delete;
  MpiMessages& operator=(const MpiMessages&) = delete;
  ~MpiMessages() {
    for (MPI_Request& each : requests_) {
      if (each == MPI_REQUEST_NULL) continue;
      MPI_Cancel(&each);
      MPI_Request_free(&each);
    }
  }

  void send(const void* data, int numbers, MPI_Datatype type, int to) {
    MPI_Isend(data, numbers, type, to, tag_, communicator_, add(to));
  }
  void receive(void* data, int numbers, MPI_Datatype type, int from) {
    MPI_Irecv(data, numbers, type, from, tag_, communicator_, add(from));
  }
  void wait() { waits_.wait(requests_, ranks_); }

 private:
  MPI_Request* add(int rank) {
    ranks_.push_back(rank);
    return &requests_.emplace_back(MPI_REQUEST_NULL);
  }

  MpiWaits& waits_;
  MPI_Comm communicator_;
  int tag_;
  std::vector<MPI_Request> requests_;
  std::vector<int> ranks_;
};

// Receives from and sends to every other rank, beginning with the nearest: so the ranks do not all
// turn to the same one first.
template <class Receive, class Send>
void with_every_other(int rank, int count, const Receive& receive, const Send& send) {
  for (int distance = 1; distance < count; ++distance) {
    receive((rank - distance + count) % count);
    send((rank + distance) % count);
  }
}

}  // namespace driftless
