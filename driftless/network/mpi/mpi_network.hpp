#pragma once

#include <mpi.h>

#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "driftless/network/mpi/mpi_collectives.hpp"
#include "driftless/network/mpi/mpi_exchange.hpp"
#include "driftless/network/network.hpp"

namespace driftless {

// The nodes spread over the ranks of a communicator, in contiguous blocks that differ by one node
// at most. Neighbours on one rank mix in memory. Two ranks exchange one message each way a mix,
// which holds the rows of every node with a neighbour on the other rank. Results are the bits of
// LocalNetwork.
//
// All functions that reach other nodes are collective: every rank calls them in the same order,
// from the thread that initialised MPI. The network duplicates the communicator, so the caller may
// free its own.
class MpiNetwork final : public Network {
 public:
  // Throws ConfigError when there are more ranks than nodes.
  MpiNetwork(MixingMatrix mixing, MPI_Comm communicator)
      : MpiNetwork(std::move(mixing), std::make_shared<MpiWaits>(communicator)) {}
  // Over the ranks of `waits`, whose limit holds for this network too.
  MpiNetwork(MixingMatrix mixing, const std::shared_ptr<MpiWaits>& waits);
  ~MpiNetwork() override;

  NodeRange hosted() const override { return ranks_.hosted(); }

  // What this rank has handed to MPI in mixes.
  Bytes bytes_sent() const { return bytes_sent_; }

 private:
  void mix_rows(FloatOrDouble<RowsList> rows, Mixing mixing) override;
  void average_rows(FloatOrDouble<RowsList> rows) override;
  void mean_of(FloatOrDouble<MeanRequest> request) const override;
  std::vector<double> gather_numbers(std::vector<double> own) const override {
    return gather_over_ranks(ranks_, own);
  }
  void collect_rows(FloatOrDouble<Transfer> transfer) const override;
  void distribute_rows(FloatOrDouble<Transfer> transfer) const override;

  MpiExchange& exchange_of(Bytes bytes_a_node);

  template <class Real>
  void mix_over_ranks(RowsList<Real> rows, bool lazy);
  template <class Real>
  void mix_nodes(const std::vector<NodeId>& nodes, bool lazy, RowsList<Real> rows,
                 const MpiExchange& exchange, std::vector<Rows<Real>>& mixed) const;

  MpiRanks ranks_;
  std::vector<MpiPeer> peers_;
  std::vector<NodeId> inner_;     // hosted nodes all of whose neighbours are hosted here too
  std::vector<NodeId> boundary_;  // the other hosted nodes
  std::vector<std::unique_ptr<MpiExchange>> exchanges_;  // one for each size of message so far
  // A mix writes its results here, then swaps them with the rows it was given.
  std::tuple<std::vector<Rows<float>>, std::vector<Rows<double>>> spare_;
  Bytes bytes_sent_ = 0;
};

}  // namespace driftless
