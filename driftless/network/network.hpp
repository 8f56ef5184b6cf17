#pragma once

#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

#include "driftless/base/function_ref.hpp"
#include "driftless/base/types.hpp"
#include "driftless/graph/mixing_matrix.hpp"
#include "driftless/network/conditions.hpp"
#include "driftless/network/estimates.hpp"
#include "driftless/network/member.hpp"
#include "driftless/network/post.hpp"
#include "driftless/network/rows.hpp"
#include "driftless/network/traffic.hpp"

namespace driftless {

// Which matrix a mix applies: W, or (I + W)/2, whose eigenvalues are never negative.
enum class Mixing { plain, lazy };

// Who gets the answer of a server: all members, as those that were away find it when they come
// back, or those alone that reached it.
enum class Answer { for_all, for_present };

// Where types stop: a runtime is asked in one virtual function for float and for double, and visits
// what it is given.
template <template <class> class Of>
using FloatOrDouble = std::variant<Of<float>, Of<double>>;

template <class Real>
using RowsList = std::span<Rows<Real>* const>;

// A mean over some of the nodes: `of` tells the vector of a hosted node, which is zero where the
// node does not count.
template <class Real>
struct MeanRequest {
  FunctionRef<void(NodeId, VectorView<Real>)> of;
  VectorView<Real> out;
  NodeId count;  // of the nodes that count
};

// A sum over all nodes, divided by `count`, becomes everyone's row.
template <class Real>
struct AverageRequest {
  RowsList<Real> rows;
  NodeId count;
};

template <class Real>
struct Transfer {
  const Rows<Real>& from;
  Rows<Real>& to;
};

template <class Real>
struct RowCopy {
  Rows<Real>& rows;
  NodeId from;
  NodeId to;
};

// The nodes that this process hosts, and their only way to reach the others. An algorithm is
// straight-line code over it: local work, mix, update. Every byte that an algorithm sends is
// metered.
//
// Links may change, drop, delay and lose nodes, and letters may be compressed: that is the
// network's business alone. A method's text is the same, and sums over nodes stay what they are.
//
// Sums over nodes run in ascending node id, so any number of threads or processes gives the same
// bits.
class Network : public Interface {
 public:
  explicit Network(const MixingMatrix& mixing);
  explicit Network(Conditions conditions);

  NodeId nodes() const { return traffic_.nodes(); }
  const Traffic& traffic() const { return traffic_; }
  Traffic& traffic() { return traffic_; }
  const Weather* weather() const { return weather_.get(); }  // null: fair for ever
  Weather* weather() { return weather_.get(); }

  virtual NodeRange hosted() const = 0;
  bool hosts_all() const { return hosted().size() == nodes(); }

  bool is_member(NodeId i) const { return !weather_ || weather_->is_member(i); }
  NodeId members() const { return weather_ ? weather_->members() : nodes(); }

  // Goes on to round t, the one after that of the last call: which links are up, who is lost, who
  // comes. `models` are the rows whose copy a node gets that joins. To be called before each round,
  // and only then may links change; where the network is fixed and fair, it may be left out.
  // Collective.
  template <class Real>
  void begin_round(Round t, Rows<Real>& models, Member<Real>& method);
  // The models that all nodes of a new run start from; before its first round.
  template <class Real>
  void start(const Rows<Real>& models);
  // What later rounds depend on beyond the method's rows, as numbers of each hosted node: letters
  // under way, ledgers, estimates. Collective; the dim is the same in all processes, and 0 where
  // there is nothing to keep.
  template <class Real>
  Rows<Real> state() const;
  // Instead of start: goes on after that many rounds from what state() gave then. Collective.
  template <class Real>
  void resume(Round rounds, const Rows<Real>& state);

  // Calls work once for each hosted node that is up, nodes in parallel; work(i) touches only what
  // node i owns.
  void for_each_node(FunctionRef<void(NodeId)> work) const;
  // The same for the nodes that reach the server in this round, and for all members.
  void for_each_client(FunctionRef<void(NodeId)> work) const;
  void for_each_member(FunctionRef<void(NodeId)> work) const;
  // The local steps that node i does in this round, where a node does `all` of them.
  Step steps(NodeId i, Step all) const { return weather_ ? weather_->steps(i, all) : all; }

  // rows_i ← Σ_j w_ij rows_j for each of the given rows, which may differ in dim. One message an
  // edge and direction carries them all.
  template <class Real>
  void mix(std::initializer_list<Rows<Real>*> rows, Mixing mixing = Mixing::plain) {
    mix_any(RowsList<Real>(rows.begin(), rows.size()), mixing);
  }
  template <class Real>
  void mix(RowsList<Real> rows, Mixing mixing = Mixing::plain) {
    mix_any(rows, mixing);
  }

  // rows_i ← mean of rows_j over the nodes j that reach the server, for each of the given rows,
  // which may differ in dim: each of these nodes sends its rows up and gets the mean back. Returns
  // their share of all nodes; where it is 0, rows stay as they are.
  template <class Real>
  double average(std::initializer_list<Rows<Real>*> rows, Answer answer = Answer::for_all) {
    return average_any(RowsList<Real>(rows.begin(), rows.size()), answer);
  }
  template <class Real>
  double average(RowsList<Real> rows, Answer answer = Answer::for_all) {
    return average_any(rows, answer);
  }

  // out ← mean over the members of a vector of each; `of` tells those of the hosted nodes. This
  // function and all below serve evaluation and are not metered.
  template <class Real>
  void mean(std::type_identity_t<FunctionRef<void(NodeId, VectorView<Real>)>> of,
            Vector<Real>& out) const {
    const auto of_members = [&](NodeId i, VectorView<Real> vector) {
      if (is_member(i)) {
        of(i, vector);
      } else {
        vector.setZero();
      }
    };
    mean_of(MeanRequest<Real>{of_members, out, members()});
  }
  // One number of each of the n nodes, in order, 0 of those that are no members; `of` tells those
  // of the hosted nodes.
  std::vector<double> gather(FunctionRef<double(NodeId)> of) const;
  double mean(FunctionRef<double(NodeId)> of) const;  // over the members
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
  // The weights of this round, and whether they are those of every round.
  const WeightRows& links() const { return links_fixed_ ? fixed_links_ : weather_->links(); }
  bool links_fixed() const { return links_fixed_; }

  // Of one node's message that carries them all.
  template <class Real>
  static Bytes message_bytes(RowsList<Real> rows) {
    Bytes bytes = 0;
    for (const Rows<Real>* each : rows) bytes += static_cast<Bytes>(each->dim()) * sizeof(Real);
    return bytes;
  }

 private:
  virtual void mix_rows(FloatOrDouble<RowsList> rows, Mixing mixing) = 0;
  virtual void average_rows(FloatOrDouble<AverageRequest> request) = 0;
  virtual void mean_of(FloatOrDouble<MeanRequest> request) const = 0;
  // These are asked only where nodes are hosted elsewhere. `own` has the hosted nodes' numbers.
  virtual std::vector<double> gather_numbers(std::vector<double> own) const = 0;
  virtual void collect_rows(FloatOrDouble<Transfer> transfer) const = 0;
  virtual void distribute_rows(FloatOrDouble<Transfer> transfer) const = 0;
  // Hands every process one letter, of `bytes` bytes, of each node elsewhere that has a link to a
  // node hosted here in this round: `pack` writes those of hosted nodes, `take` is told the
  // others'.
  virtual void swap_letters(Bytes bytes, FunctionRef<void(NodeId, std::byte*)> pack,
                            FunctionRef<void(NodeId, const std::byte*)> take) = 0;
  virtual void copy_row(FloatOrDouble<RowCopy> copy) = 0;

  void mix_any(FloatOrDouble<RowsList> rows, Mixing mixing);
  template <class Real>
  void mix_by_letters(RowsList<Real> rows, Mixing mixing);
  template <class Real>
  void mix_estimates(RowsList<Real> rows, Mixing mixing);
  double average_any(FloatOrDouble<RowsList> rows, Answer answer);
  template <class Real>
  double average_present(RowsList<Real> rows, Answer answer);
  template <class Real>
  void tell_estimates();
  template <class Real>
  const Codec<Real>* codec() const {
    return std::get<std::shared_ptr<const Codec<Real>>>(codecs_).get();
  }
  template <class Real>
  Post<Real>& post() {
    return std::get<Post<Real>>(post_);
  }
  template <class Real>
  Estimates<Real>& estimates() {
    return std::get<Estimates<Real>>(estimates_);
  }

  WeightRows fixed_links_;  // where links do not change
  bool links_fixed_ = true;
  std::unique_ptr<Weather> weather_;
  std::tuple<std::shared_ptr<const Codec<float>>, std::shared_ptr<const Codec<double>>> codecs_;
  double codec_rate_ = 1;
  std::uint64_t codec_seed_ = 1;
  Traffic traffic_;
  Round round_ = 0;
  Step mixes_ = 0;  // in this round so far
  std::tuple<Post<float>, Post<double>> post_;
  std::tuple<Estimates<float>, Estimates<double>> estimates_;
};

}  // namespace driftless
