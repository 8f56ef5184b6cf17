#pragma once

#include <memory>
#include <tuple>
#include <vector>

#include "driftless/base/hosting.hpp"
#include "driftless/network/network.hpp"

namespace driftless {

// Another process, one of whose nodes has a link to a node hosted here.
struct LinkedProcess {
  int process = 0;
  std::vector<NodeId> sent;      // nodes here with a neighbour there, ascending
  std::vector<NodeId> received;  // nodes there with a neighbour here, ascending
};

// Those of `process`, ascending.
std::vector<LinkedProcess> linked_processes(const WeightRows& links, const Hosting& hosting,
                                            int process);

// Linked processes that get the same nodes, so that these are packed once.
struct Parcel {
  std::vector<NodeId> nodes;
  std::vector<std::size_t> to;  // places in the list of linked processes
};
std::vector<Parcel> parcels(const std::vector<LinkedProcess>& linked);

// Writes a part of a message that belongs to a node.
using PackNode = FunctionRef<void(NodeId, std::byte*)>;

// The messages of one mix: one to each linked process, and one from each, of as many bytes a node.
// An exchange may serve one mix after the other.
class Exchange : public Interface {
 public:
  // Gives the bytes that went out.
  virtual Bytes send(PackNode pack) = 0;
  virtual void wait_for_received() = 0;
  // What came for node linked[process].received[node].
  virtual const std::byte* from(std::size_t process, std::size_t node) const = 0;
  // What came is not looked at any more. `again`: there will be another mix.
  virtual void finish(bool again) = 0;
};

// A mean over all nodes' rows, in ascending order of the nodes.
template <class Real>
struct RowsMean {
  const Rows<Real>& rows;  // of the hosted nodes
  NodeId count;            // what their sum is divided by
  Real* out;
};

// The nodes spread over processes, in contiguous blocks that differ by one node at most. Neighbours
// in one process mix in memory; two processes exchange one message each way a mix, which holds the
// rows of every node with a neighbour in the other process. A row that several nodes of the other
// process need goes there once. Results are the bits of LocalNetwork.
//
// A runtime says how messages go and how means are taken. All functions that reach other nodes are
// collective: every process calls them in the same order.
class BlockNetwork : public Network {
 public:
  NodeRange hosted() const override { return hosting_.of(process_); }
  Bytes bytes_sent() const { return bytes_sent_; }  // in mixes, by this process

 protected:
  using Network::Network;

  // In the constructor of a runtime, before anything else.
  void take_block(const Hosting& hosting, int process);
  // In its destructor, while messages can still be called back.
  void drop_exchanges() { exchanges_.clear(); }
  const Hosting& hosting() const { return hosting_; }
  int process() const { return process_; }

 private:
  // `number` tells exchanges of one route apart.
  virtual std::unique_ptr<Exchange> make_exchange(const std::vector<LinkedProcess>& linked,
                                                  Bytes bytes_a_node, int number) = 0;
  virtual void mean_rows(FloatOrDouble<RowsMean> mean) const = 0;

  void mix_rows(FloatOrDouble<RowsList> rows, Mixing mixing) override;
  void average_rows(FloatOrDouble<AverageRequest> request) override;
  void mean_of(FloatOrDouble<MeanRequest> request) const override;
  void swap_letters(Bytes bytes, PackNode pack,
                    FunctionRef<void(NodeId, const std::byte*)> take) override;

  // Which nodes here have links to nodes of other processes.
  struct Route {
    std::vector<LinkedProcess> linked;
    std::vector<NodeId> inner;     // hosted nodes all of whose neighbours are hosted here too
    std::vector<NodeId> boundary;  // the other hosted nodes
  };
  Route route_of(const WeightRows& links) const;
  void take_route();  // of this round
  // Of the route, for messages of this size: one that lasts where links are fixed.
  Exchange& exchange_of(Bytes bytes_a_node);

  template <class Real>
  void mix_over_processes(RowsList<Real> rows, bool lazy);
  template <class Real>
  void mix_nodes(const std::vector<NodeId>& nodes, bool lazy, RowsList<Real> rows,
                 const Exchange& exchange, std::vector<Rows<Real>>& mixed) const;

  struct SizedExchange {
    Bytes bytes_a_node;
    std::unique_ptr<Exchange> exchange;
  };

  Hosting hosting_;
  int process_ = 0;
  Route route_;  // of all rounds, or of the round of the last mix
  // One for each size of message so far; where links change, the last one alone.
  std::vector<SizedExchange> exchanges_;
  // A mix writes its results here, then swaps them with the rows it was given.
  std::tuple<std::vector<Rows<float>>, std::vector<Rows<double>>> spare_;
  Bytes bytes_sent_ = 0;
};

}  // namespace driftless
