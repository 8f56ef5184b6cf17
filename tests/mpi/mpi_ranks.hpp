#pragma once

#include <mpi.h>

#include <memory>
#include <utility>

#include "driftless/network/mpi/mpi_network.hpp"

namespace driftless::testing {

inline int ranks() {
  int count = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &count);
  return count;
}

// The first ranks, one a node at most; the others get none.
inline MPI_Comm first_ranks(NodeId nodes) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm some = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank < nodes ? 0 : MPI_UNDEFINED, rank, &some);
  return some;
}

// For the contracts: networks over as many ranks as have a node.
template <class Number>
struct Mpi {
  using Real = Number;
  static std::unique_ptr<MpiNetwork> make(MixingMatrix mixing) {
    const NodeId nodes = mixing.nodes();
    return make(std::move(mixing), nodes);
  }
  static std::unique_ptr<MpiNetwork> make(Conditions conditions) {
    const NodeId nodes = conditions.links->nodes();
    return make(std::move(conditions), nodes);
  }

 private:
  template <class Given>
  static std::unique_ptr<MpiNetwork> make(Given given, NodeId nodes) {
    MPI_Comm some = first_ranks(nodes);
    if (some == MPI_COMM_NULL) return nullptr;
    auto network = std::make_unique<MpiNetwork>(std::move(given), some);
    MPI_Comm_free(&some);
    return network;
  }
};

}  // namespace driftless::testing
