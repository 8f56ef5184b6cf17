#pragma once

#include <initializer_list>
#include <span>
#include <vector>

#include "driftless/base/function_ref.hpp"
#include "driftless/base/types.hpp"
#include "driftless/graph/mixing_matrix.hpp"
#include "driftless/network/rows.hpp"
#include "driftless/network/traffic.hpp"

namespace driftless {

// Which matrix a mix applies: W, or (I + W)/2, whose eigenvalues are never negative.
enum class Mixing { plain, lazy };

// The nodes that this process hosts, and their only way to reach the others. An algorithm is
// straight-line code over it: local work, mix, update. Every byte that an algorithm sends is
// metered.
//
// Sums over nodes run in ascending node id, so any number of threads or processes gives the same
// bits.
class Network {
 public:
  explicit Network(MixingMatrix mixing);
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;
  virtual ~Network() = default;

  NodeId nodes() const { return mixing_.nodes(); }
  const MixingMatrix& mixing() const { return mixing_; }
  const Traffic& traffic() const { return traffic_; }
  void resume_traffic(Bytes edge, Bytes uplink) { traffic_.resume(edge, uplink); }

  virtual NodeRange hosted() const = 0;
  bool hosts_all() const { return hosted().size() == nodes(); }

  // Calls work once for each hosted node, nodes in parallel; work(i) touches only what node i owns.
  virtual void for_each_node(FunctionRef<void(NodeId)> work) const = 0;

  // rows_i ← Σ_j w_ij rows_j for each of the given rows, which may differ in dim. One message an
  // edge and direction carries them all.
  template <class Real>
  void mix(std::initializer_list<Rows<Real>*> rows, Mixing mixing = Mixing::plain);

  // rows_i ← (1/n) Σ_j rows_j for each of the given rows, which may differ in dim, through a
  // server: each node sends its rows up and gets the mean back.
  template <class Real>
  void average(std::initializer_list<Rows<Real>*> rows);

  // out ← (1/n) Σ_i of a vector of each node; `of` tells those of the hosted nodes. This function
  // and all below serve evaluation and are not metered.
  virtual void mean(FunctionRef<void(NodeId, VectorView<float>)> of,
                    VectorView<float> out) const = 0;
  virtual void mean(FunctionRef<void(NodeId, VectorView<double>)> of,
                    VectorView<double> out) const = 0;
  // One number of each of the n nodes, in order; `of` tells those of the hosted nodes.
  virtual std::vector<double> gather(FunctionRef<double(NodeId)> of) const = 0;
  double mean(FunctionRef<double(NodeId)> of) const;
  // Whether any process says so.
  bool any(bool here) const;
  // In the process of node 0: the rows of all nodes, either `rows` itself or kept in `room`. In the
  // other processes: rows that mean nothing.
  virtual const Rows<float>& collect(const Rows<float>& rows, Rows<float>& room) const = 0;
  virtual const Rows<double>& collect(const Rows<double>& rows, Rows<double>& room) const = 0;
  // The reverse: every process's `rows` get their part of the `all` in the process of node 0. Other
  // processes may pass any `all`.
  virtual void distribute(const Rows<float>& all, Rows<float>& rows) const = 0;
  virtual void distribute(const Rows<double>& all, Rows<double>& rows) const = 0;
  double minimum(FunctionRef<double(NodeId)> of) const;

 protected:
  virtual void mix_rows(std::span<Rows<float>* const> rows, Mixing mixing) = 0;
  virtual void mix_rows(std::span<Rows<double>* const> rows, Mixing mixing) = 0;
  virtual void average_rows(std::span<Rows<float>* const> rows) = 0;
  virtual void average_rows(std::span<Rows<double>* const> rows) = 0;

 private:
  MixingMatrix mixing_;
  Traffic traffic_;
};

}  // namespace driftless
