#pragma once

#include <mpi.h>

#include <memory>
#include <tuple>
#include <vector>

#include "driftless/network/network.hpp"

namespace driftless {

// The nodes spread over the ranks of a communicator, in contiguous blocks that differ by one node
// at most. Neighbours on one rank mix in memory; between two ranks goes one message a mix, which
// holds the rows of every node that has a neighbour there. Results are the bits of LocalNetwork.
//
// All functions that reach other nodes are collective: every rank calls them in the same order,
// from the thread that initialised MPI. The communicator is duplicated, and must outlive no one.
class MpiNetwork final : public Network {
 public:
  // Throws ConfigError when there are more ranks than nodes.
  MpiNetwork(MixingMatrix mixing, MPI_Comm communicator);
  ~MpiNetwork() override;

  NodeRange hosted() const override { return hosted_by(rank_); }
  void for_each_node(FunctionRef<void(NodeId)> work) const override;

  using Network::mean;
  void mean(FunctionRef<void(NodeId, VectorView<float>)> of, VectorView<float> out) const override;
  void mean(FunctionRef<void(NodeId, VectorView<double>)> of,
            VectorView<double> out) const override;
  std::vector<double> gather(FunctionRef<double(NodeId)> of) const override;
  bool any(bool here) const override;
  const Rows<float>& collect(const Rows<float>& rows, Rows<float>& room) const override;
  const Rows<double>& collect(const Rows<double>& rows, Rows<double>& room) const override;
  void distribute(const Rows<float>& all, Rows<float>& rows) const override;
  void distribute(const Rows<double>& all, Rows<double>& rows) const override;

  // What this rank has handed to MPI for the neighbours of its nodes, in mixes.
  Bytes bytes_sent() const { return bytes_sent_; }

 protected:
  void mix_rows(std::span<Rows<float>* const> rows, Mixing mixing) override;
  void mix_rows(std::span<Rows<double>* const> rows, Mixing mixing) override;
  void average_rows(std::span<Rows<float>* const> rows) override;
  void average_rows(std::span<Rows<double>* const> rows) override;

 private:
  // A rank that has neighbours of nodes of ours: what goes there and what comes from there, nodes
  // ascending.
  struct Peer {
    int rank = 0;
    std::vector<NodeId> sent;
    std::vector<NodeId> received;
  };
  class Exchange;

  NodeRange hosted_by(int rank) const;
  int rank_of(NodeId node) const;
  std::vector<Peer> find_peers() const;
  Exchange& exchange_of(Bytes bytes_a_node);

  template <class Real>
  void mix_over_ranks(std::span<Rows<Real>* const> rows, bool lazy);
  template <class Real>
  void mix_nodes(const std::vector<NodeId>& nodes, bool lazy, std::span<Rows<Real>* const> rows,
                 const Exchange& exchange, std::vector<Rows<Real>>& mixed) const;
  // out ← (1/n) Σ of all nodes' rows, in ascending order of the nodes, on every rank.
  template <class Real>
  void mean_over_ranks(const Rows<Real>& rows, Real* out) const;
  template <class Real>
  const Rows<Real>& collect_at_first(const Rows<Real>& rows, Rows<Real>& room) const;
  template <class Real>
  void distribute_from_first(const Rows<Real>& all, Rows<Real>& rows) const;

  MPI_Comm communicator_ = MPI_COMM_NULL;
  int rank_ = 0;
  int ranks_ = 1;
  std::vector<Peer> peers_;
  std::vector<NodeId> inner_;                         // hosted nodes without a neighbour elsewhere
  std::vector<NodeId> boundary_;                      // the others
  std::vector<std::unique_ptr<Exchange>> exchanges_;  // one for each size of message met so far
  // Where a mix writes; it takes the place of what was mixed, which is written to by the next.
  std::tuple<std::vector<Rows<float>>, std::vector<Rows<double>>> spare_;
  Bytes bytes_sent_ = 0;
};

}  // namespace driftless
