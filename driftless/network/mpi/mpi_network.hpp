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
  // `Given` is a MixingMatrix or Conditions. Throws ConfigError when there are more ranks than
  // nodes.
  template <class Given>
  MpiNetwork(Given given, MPI_Comm communicator)
      : MpiNetwork(std::move(given), std::make_shared<MpiWaits>(communicator)) {}
  // Over the ranks of `waits`, whose limit holds for this network too.
  template <class Given>
  MpiNetwork(Given given, const std::shared_ptr<MpiWaits>& waits) : Network(std::move(given)) {
    join(waits);
  }
  ~MpiNetwork() override;

  NodeRange hosted() const override { return ranks_.hosted(); }

  // What this rank has handed to MPI in mixes.
  Bytes bytes_sent() const { return bytes_sent_; }

 private:
  void mix_rows(FloatOrDouble<RowsList> rows, Mixing mixing) override;
  void average_rows(FloatOrDouble<AverageRequest> request) override;
  void mean_of(FloatOrDouble<MeanRequest> request) const override;
  std::vector<double> gather_numbers(std::vector<double> own) const override {
    return gather_over_ranks(ranks_, own);
  }
  void collect_rows(FloatOrDouble<Transfer> transfer) const override;
  void distribute_rows(FloatOrDouble<Transfer> transfer) const override;

  void swap_letters(Bytes bytes, FunctionRef<void(NodeId, std::byte*)> pack,
                    FunctionRef<void(NodeId, const std::byte*)> take) override;
  void copy_row(FloatOrDouble<RowCopy> copy) override;

  // Which nodes here have links to nodes on other ranks.
  struct Route {
    std::vector<MpiPeer> peers;
    std::vector<NodeId> inner;     // hosted nodes all of whose neighbours are hosted here too
    std::vector<NodeId> boundary;  // the other hosted nodes
  };

  void join(const std::shared_ptr<MpiWaits>& waits);
  Route route_of(const WeightRows& links) const;
  void take_route();  // of this round
  // Of the route, for messages of this size: one that lasts where links are fixed.
  MpiExchange& exchange_of(Bytes bytes_a_node);

  template <class Real>
  void mix_over_ranks(RowsList<Real> rows, bool lazy);
  template <class Real>
  void mix_nodes(const std::vector<NodeId>& nodes, bool lazy, RowsList<Real> rows,
                 const MpiExchange& exchange, std::vector<Rows<Real>>& mixed) const;

  MpiRanks ranks_;
  Route route_;  // of all rounds, or of the round of the last mix
  // One for each size of message so far; where links change, the last one alone.
  std::vector<std::unique_ptr<MpiExchange>> exchanges_;
  // A mix writes its results here, then swaps them with the rows it was given.
  std::tuple<std::vector<Rows<float>>, std::vector<Rows<double>>> spare_;
  Bytes bytes_sent_ = 0;
};

}  // namespace driftless
