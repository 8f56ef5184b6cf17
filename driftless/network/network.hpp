#pragma once

#include <initializer_list>
#include <span>
#include <type_traits>
#include <variant>
#include <vector>

#include "driftless/base/function_ref.hpp"
#include "driftless/base/types.hpp"
#include "driftless/graph/mixing_matrix.hpp"
#include "driftless/network/rows.hpp"
#include "driftless/network/traffic.hpp"

namespace driftless {

// Which matrix a mix applies: W, or (I + W)/2, whose eigenvalues are never negative.
enum class Mixing { plain, lazy };

// Where types stop: a runtime is asked in one virtual function for float and for double, and visits
// what it is given.
template <template <class> class Of>
using FloatOrDouble = std::variant<Of<float>, Of<double>>;

template <class Real>
using RowsList = std::span<Rows<Real>* const>;

// A mean over the nodes: `of` tells the vector of a hosted node.
template <class Real>
struct MeanRequest {
  FunctionRef<void(NodeId, VectorView<Real>)> of;
  VectorView<Real> out;
};

template <class Real>
struct Transfer {
  const Rows<Real>& from;
  Rows<Real>& to;
};

// The nodes that this process hosts, and their only way to reach the others. An algorithm is
// straight-line code over it: local work, mix, update. Every byte that an algorithm sends is
// metered.
//
// Sums over nodes run in ascending node id, so any number of threads or processes gives the same
// bits.
class Network : public Interface {
 public:
  explicit Network(MixingMatrix mixing);

  NodeId nodes() const { return mixing_.nodes(); }
  const MixingMatrix& mixing() const { return mixing_; }
  const Traffic& traffic() const { return traffic_; }
  void resume_traffic(Bytes edge, Bytes uplink) { traffic_.resume(edge, uplink); }

  virtual NodeRange hosted() const = 0;
  bool hosts_all() const { return hosted().size() == nodes(); }

  // Calls work once for each hosted node, nodes in parallel; work(i) touches only what node i owns.
  void for_each_node(FunctionRef<void(NodeId)> work) const;

  // rows_i ← Σ_j w_ij rows_j for each of the given rows, which may differ in dim. One message an
  // edge and direction carries them all.
  template <class Real>
  void mix(std::initializer_list<Rows<Real>*> rows, Mixing mixing = Mixing::plain) {
    const RowsList<Real> all(rows.begin(), rows.size());
    traffic_.count_exchange(message_bytes(all));
    mix_rows(all, mixing);
  }

  // rows_i ← (1/n) Σ_j rows_j for each of the given rows, which may differ in dim, through a
  // server: each node sends its rows up and gets the mean back.
  template <class Real>
  void average(std::initializer_list<Rows<Real>*> rows) {
    const RowsList<Real> all(rows.begin(), rows.size());
    traffic_.count_global_average(message_bytes(all));
    average_rows(all);
  }

  // out ← (1/n) Σ_i of a vector of each node; `of` tells those of the hosted nodes. This function
  // and all below serve evaluation and are not metered.
  template <class Real>
  void mean(std::type_identity_t<FunctionRef<void(NodeId, VectorView<Real>)>> of,
            Vector<Real>& out) const {
    mean_of(MeanRequest<Real>{of, out});
  }
  // One number of each of the n nodes, in order; `of` tells those of the hosted nodes.
  std::vector<double> gather(FunctionRef<double(NodeId)> of) const;
  double mean(FunctionRef<double(NodeId)> of) const;
  // Whether any process says so.
  bool any(bool here) const;
  // In the process of node 0: the rows of all nodes, either `rows` itself or kept in `room`. In the
  // other processes: rows that mean nothing.
  template <class Real>
  const Rows<Real>& collect(const Rows<Real>& rows, Rows<Real>& room) const {
    if (hosts_all()) return rows;
    collect_rows(Transfer<Real>{rows, room});
    return room;
  }
  // The reverse: every process's `rows` get their part of the `all` in the process of node 0. Other
  // processes may pass any `all`.
  template <class Real>
  void distribute(const Rows<Real>& all, Rows<Real>& rows) const {
    if (hosts_all()) {
      rows = all;
    } else {
      distribute_rows(Transfer<Real>{all, rows});
    }
  }

 protected:
  // Of one node's message that carries them all.
  template <class Real>
  static Bytes message_bytes(RowsList<Real> rows) {
    Bytes bytes = 0;
    for (const Rows<Real>* each : rows) bytes += static_cast<Bytes>(each->dim()) * sizeof(Real);
    return bytes;
  }

 private:
  virtual void mix_rows(FloatOrDouble<RowsList> rows, Mixing mixing) = 0;
  virtual void average_rows(FloatOrDouble<RowsList> rows) = 0;
  virtual void mean_of(FloatOrDouble<MeanRequest> request) const = 0;
  // These are asked only where nodes are hosted elsewhere. `own` has the hosted nodes' numbers.
  virtual std::vector<double> gather_numbers(std::vector<double> own) const = 0;
  virtual void collect_rows(FloatOrDouble<Transfer> transfer) const = 0;
  virtual void distribute_rows(FloatOrDouble<Transfer> transfer) const = 0;

  MixingMatrix mixing_;
  Traffic traffic_;
};

}  // namespace driftless
