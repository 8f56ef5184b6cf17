#include "driftless/network/mpi/mpi_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <set>
#include <utility>

#include "driftless/base/error.hpp"
#include "driftless/base/kernels.hpp"
#include "driftless/base/parallel.hpp"

namespace driftless {

namespace {

template <class Real>
MPI_Datatype type_of();
template <>
MPI_Datatype type_of<float>() {
  return MPI_FLOAT;
}
template <>
MPI_Datatype type_of<double>() {
  return MPI_DOUBLE;
}

constexpr int collect_tag = 0;
constexpr int first_exchange_tag = 100;

// Where part k of `parts` equal parts of `whole` begins.
Index part_begin(Index whole, Index parts, Index k) { return whole * k / parts; }

}  // namespace

// The messages of one mix: buffers and persistent requests, made once for each size, which has its
// own tag. The receives of the next mix are posted as soon as the buffers of this one are free, so
// that a message which comes during local work finds its place.
class MpiNetwork::Exchange {
 public:
  // What goes out, packed once for all ranks that get the same nodes.
  struct Parcel {
    std::vector<NodeId> nodes;
    std::vector<std::byte> bytes;
    std::vector<MPI_Request> sends;

    Bytes send() {
      start_all(sends);
      return bytes.size() * sends.size();
    }
  };

  Exchange(const std::vector<Peer>& peers, MPI_Comm communicator, Bytes bytes_a_node, int tag)
      : bytes_a_node_(bytes_a_node) {
    for (const Peer& peer : peers) {
      auto& in = received_.emplace_back(peer.received.size() * bytes_a_node);
      MPI_Recv_init(in.data(), count(in), unit_type(), peer.rank, tag, communicator,
                    &receives_.emplace_back());
      auto parcel = std::ranges::find(parcels_, peer.sent, &Parcel::nodes);
      if (parcel == parcels_.end()) {
        parcels_.push_back(
            {peer.sent, std::vector<std::byte>(peer.sent.size() * bytes_a_node), {}});
        parcel = parcels_.end() - 1;
      }
      MPI_Send_init(parcel->bytes.data(), count(parcel->bytes), unit_type(), peer.rank, tag,
                    communicator, &parcel->sends.emplace_back());
    }
    expect();
  }
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  ~Exchange() {
    for (MPI_Request& request : receives_) {
      MPI_Cancel(&request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      MPI_Request_free(&request);
    }
    for (Parcel& parcel : parcels_) {
      for (MPI_Request& request : parcel.sends) MPI_Request_free(&request);
    }
  }

  Bytes bytes_a_node() const { return bytes_a_node_; }
  std::vector<Parcel>& parcels() { return parcels_; }
  const std::byte* from(std::size_t peer, std::size_t node) const {
    return received_[peer].data() + node * bytes_a_node_;
  }

  void expect() { start_all(receives_); }
  void wait_for_received() { wait_all(receives_); }
  // Also where the next local work needs no buffer: only within MPI do messages move on.
  void wait_for_sent() {
    for (Parcel& parcel : parcels_) wait_all(parcel.sends);
  }

 private:
  // MPI counts in ints: in units of 4 bytes, messages reach 8 GB.
  static constexpr std::size_t unit = 4;
  static MPI_Datatype unit_type() { return MPI_FLOAT; }
  static int count(const std::vector<std::byte>& buffer) {
    return static_cast<int>(buffer.size() / unit);
  }

  // Open MPI takes no empty list.
  static void start_all(std::vector<MPI_Request>& requests) {
    if (requests.empty()) return;
    MPI_Startall(static_cast<int>(requests.size()), requests.data());
  }
  static void wait_all(std::vector<MPI_Request>& requests) {
    if (requests.empty()) return;
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  }

  Bytes bytes_a_node_;
  std::vector<std::vector<std::byte>> received_;  // of each peer
  std::vector<MPI_Request> receives_;
  std::vector<Parcel> parcels_;
};

MpiNetwork::MpiNetwork(MixingMatrix matrix, MPI_Comm communicator) : Network(std::move(matrix)) {
  MPI_Comm_rank(communicator, &rank_);
  MPI_Comm_size(communicator, &ranks_);
  if (ranks_ > nodes()) {
    throw ConfigError(fmt::format(
        "{} ranks for network.nodes = {}: a rank hosts at least one node; start at most {}", ranks_,
        nodes(), nodes()));
  }
  MPI_Comm_dup(communicator, &communicator_);
  peers_ = find_peers();
  const NodeRange mine = hosted();
  for (NodeId i = mine.first; i < mine.last; ++i) {
    const bool inner = std::ranges::all_of(
        mixing().row(i).nodes, [&](NodeId j) { return mine.first <= j && j < mine.last; });
    (inner ? inner_ : boundary_).push_back(i);
  }
}

MpiNetwork::~MpiNetwork() {
  exchanges_.clear();
  MPI_Comm_free(&communicator_);
}

NodeRange MpiNetwork::hosted_by(int rank) const { return Hosting{nodes(), ranks_}.of(rank); }

int MpiNetwork::rank_of(NodeId node) const {
  auto rank = static_cast<int>(static_cast<Index>(node) * ranks_ / nodes());
  while (node >= hosted_by(rank).last) ++rank;
  return rank;
}

// W may be unsymmetric, so what goes out follows from the rows of the others.
std::vector<MpiNetwork::Peer> MpiNetwork::find_peers() const {
  std::vector<std::set<NodeId>> sent(static_cast<std::size_t>(ranks_));
  std::vector<std::set<NodeId>> received(static_cast<std::size_t>(ranks_));
  for (NodeId i = 0; i < nodes(); ++i) {
    const int to = rank_of(i);
    for (const NodeId j : mixing().row(i).nodes) {
      const int from = rank_of(j);
      if (from == to) continue;
      if (from == rank_) sent[static_cast<std::size_t>(to)].insert(j);
      if (to == rank_) received[static_cast<std::size_t>(from)].insert(j);
    }
  }
  std::vector<Peer> peers;
  for (int rank = 0; rank < ranks_; ++rank) {
    const auto& out = sent[static_cast<std::size_t>(rank)];
    const auto& in = received[static_cast<std::size_t>(rank)];
    if (out.empty() && in.empty()) continue;
    peers.push_back({rank, {out.begin(), out.end()}, {in.begin(), in.end()}});
  }
  return peers;
}

MpiNetwork::Exchange& MpiNetwork::exchange_of(Bytes bytes_a_node) {
  for (const auto& exchange : exchanges_) {
    if (exchange->bytes_a_node() == bytes_a_node) return *exchange;
  }
  const int tag = first_exchange_tag + static_cast<int>(exchanges_.size());
  return *exchanges_.emplace_back(
      std::make_unique<Exchange>(peers_, communicator_, bytes_a_node, tag));
}

void MpiNetwork::for_each_node(FunctionRef<void(NodeId)> work) const {
  const NodeRange mine = hosted();
  parallel(mine.size(), [&](Index k) { work(mine.first + static_cast<NodeId>(k)); });
}

template <class Real>
void MpiNetwork::mix_nodes(const std::vector<NodeId>& nodes, bool lazy,
                           std::span<Rows<Real>* const> rows, const Exchange& exchange,
                           std::vector<Rows<Real>>& mixed) const {
  const NodeRange mine = hosted();
  // Row j of set k: ours, or where it lies in the message that brought it.
  const auto row_of = [&](NodeId j, std::size_t k, Index offset) -> const Real* {
    if (mine.first <= j && j < mine.last) return rows[k]->row(j);
    const int rank = rank_of(j);
    const auto peer = std::ranges::lower_bound(peers_, rank, {}, &Peer::rank);
    const auto node = std::ranges::lower_bound(peer->received, j);
    const std::byte* message =
        exchange.from(static_cast<std::size_t>(peer - peers_.begin()),
                      static_cast<std::size_t>(node - peer->received.begin()));
    return reinterpret_cast<const Real*>(message) + offset;
  };
  parallel(std::ssize(nodes), [&](Index task) {
    const NodeId i = nodes[static_cast<std::size_t>(task)];
    const auto row = mixing().row(i);
    std::vector<const Real*> sources(row.nodes.size());
    std::vector<Real> weights(row.nodes.size());
    Index offset = 0;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      for (std::size_t s = 0; s < row.nodes.size(); ++s) {
        const NodeId j = row.nodes[s];
        const double w = lazy ? 0.5 * row.weights[s] + (j == i ? 0.5 : 0.0) : row.weights[s];
        sources[s] = row_of(j, k, offset);
        weights[s] = static_cast<Real>(w);
      }
      kernel::weighted_sum(mixed[k].row(i), sources.data(), weights.data(),
                           static_cast<Index>(sources.size()), rows[k]->dim());
      offset += rows[k]->dim();
    }
  });
}

// What needs no message is mixed while the messages are under way.
template <class Real>
void MpiNetwork::mix_over_ranks(std::span<Rows<Real>* const> rows, bool lazy) {
  Bytes bytes_a_node = 0;
  for (const Rows<Real>* each : rows) {
    bytes_a_node += static_cast<Bytes>(each->dim()) * sizeof(Real);
  }
  if (bytes_a_node == 0) return;
  Exchange& exchange = exchange_of(bytes_a_node);
  for (Exchange::Parcel& parcel : exchange.parcels()) {
    std::byte* to = parcel.bytes.data();
    for (const NodeId node : parcel.nodes) {
      for (const Rows<Real>* each : rows) {
        const std::size_t bytes = static_cast<std::size_t>(each->dim()) * sizeof(Real);
        std::memcpy(to, each->row(node), bytes);
        to += bytes;
      }
    }
    bytes_sent_ += parcel.send();
  }
  auto& mixed = std::get<std::vector<Rows<Real>>>(spare_);
  while (mixed.size() < rows.size()) mixed.emplace_back(hosted(), 0);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (mixed[k].dim() != rows[k]->dim()) mixed[k] = Rows<Real>(hosted(), rows[k]->dim());
  }
  mix_nodes(inner_, lazy, rows, exchange, mixed);
  exchange.wait_for_received();
  mix_nodes(boundary_, lazy, rows, exchange, mixed);
  exchange.expect();
  exchange.wait_for_sent();
  for (std::size_t k = 0; k < rows.size(); ++k) std::swap(*rows[k], mixed[k]);
}

// Every rank sums a slice of the columns over all nodes, in order, and tells the others: the volume
// of an all-reduce, whose own order of summation is the library's affair.
template <class Real>
void MpiNetwork::mean_over_ranks(const Rows<Real>& rows, Real* out) const {
  constexpr Index most_columns = Index{1} << 20;  // at a time: bounds the memory and MPI's counts
  const Index dim = rows.dim();
  const auto ranks = static_cast<std::size_t>(ranks_);
  std::vector<int> send_counts(ranks), send_places(ranks), counts(ranks), places(ranks),
      slice_counts(ranks), slice_places(ranks);
  std::vector<Real> outgoing, incoming, slice;
  for (Index begin = 0; begin < dim; begin += most_columns) {
    const Index columns = std::min(most_columns, dim - begin);
    const auto slice_begin = [&](Index rank) { return part_begin(columns, ranks_, rank); };
    const Index own = slice_begin(rank_ + 1) - slice_begin(rank_);
    outgoing.resize(static_cast<std::size_t>(hosted().size() * columns));
    incoming.resize(static_cast<std::size_t>(nodes() * own));
    Index sent = 0;
    for (std::size_t r = 0; r < ranks; ++r) {
      const auto rank = static_cast<Index>(r);
      const Index width = slice_begin(rank + 1) - slice_begin(rank);
      send_places[r] = static_cast<int>(sent);
      for (NodeId i = hosted().first; i < hosted().last; ++i) {
        std::copy_n(rows.row(i) + begin + slice_begin(rank), width,
                    outgoing.begin() + static_cast<std::ptrdiff_t>(sent));
        sent += width;
      }
      send_counts[r] = static_cast<int>(sent) - send_places[r];
      const NodeRange theirs = hosted_by(static_cast<int>(r));
      counts[r] = static_cast<int>(theirs.size() * own);
      places[r] = static_cast<int>(theirs.first * own);
      slice_counts[r] = static_cast<int>(width);
      slice_places[r] = static_cast<int>(slice_begin(rank));
    }
    MPI_Alltoallv(outgoing.data(), send_counts.data(), send_places.data(), type_of<Real>(),
                  incoming.data(), counts.data(), places.data(), type_of<Real>(), communicator_);
    slice.assign(static_cast<std::size_t>(own), Real(0));
    for (NodeId i = 0; i < nodes(); ++i) {
      kernel::sum_in_order(slice.data(), incoming.data() + i * own, own);
    }
    for (Real& sum : slice) sum /= static_cast<Real>(nodes());
    MPI_Allgatherv(slice.data(), static_cast<int>(own), type_of<Real>(), out + begin,
                   slice_counts.data(), slice_places.data(), type_of<Real>(), communicator_);
  }
}

std::vector<double> MpiNetwork::gather(FunctionRef<double(NodeId)> of) const {
  const NodeRange mine = hosted();
  std::vector<double> own(static_cast<std::size_t>(mine.size()));
  for_each_node([&](NodeId i) { own[static_cast<std::size_t>(i - mine.first)] = of(i); });
  std::vector<int> counts(static_cast<std::size_t>(ranks_));
  std::vector<int> places(static_cast<std::size_t>(ranks_));
  for (int rank = 0; rank < ranks_; ++rank) {
    counts[static_cast<std::size_t>(rank)] = hosted_by(rank).size();
    places[static_cast<std::size_t>(rank)] = hosted_by(rank).first;
  }
  std::vector<double> all(static_cast<std::size_t>(nodes()));
  MPI_Allgatherv(own.data(), static_cast<int>(own.size()), MPI_DOUBLE, all.data(), counts.data(),
                 places.data(), MPI_DOUBLE, communicator_);
  return all;
}

bool MpiNetwork::any(bool here) const {
  int said = here ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &said, 1, MPI_INT, MPI_MAX, communicator_);
  return said != 0;
}

// Rank by rank, so that no count exceeds what one rank holds.
template <class Real>
const Rows<Real>& MpiNetwork::collect_at_first(const Rows<Real>& rows, Rows<Real>& room) const {
  const auto row_bytes = static_cast<std::size_t>(rows.dim()) * sizeof(Real);
  const auto numbers = [&](NodeRange range) { return static_cast<int>(range.size() * rows.dim()); };
  if (rank_ != 0) {
    MPI_Send(rows.row(hosted().first), numbers(hosted()), type_of<Real>(), 0, collect_tag,
             communicator_);
    return rows;
  }
  room = Rows<Real>({0, nodes()}, rows.dim());
  std::memcpy(room.row(0), rows.row(0), static_cast<std::size_t>(hosted().size()) * row_bytes);
  for (int rank = 1; rank < ranks_; ++rank) {
    const NodeRange theirs = hosted_by(rank);
    MPI_Recv(room.row(theirs.first), numbers(theirs), type_of<Real>(), rank, collect_tag,
             communicator_, MPI_STATUS_IGNORE);
  }
  return room;
}
const Rows<float>& MpiNetwork::collect(const Rows<float>& rows, Rows<float>& room) const {
  return collect_at_first(rows, room);
}
const Rows<double>& MpiNetwork::collect(const Rows<double>& rows, Rows<double>& room) const {
  return collect_at_first(rows, room);
}

template <class Real>
void MpiNetwork::distribute_from_first(const Rows<Real>& all, Rows<Real>& rows) const {
  const auto numbers = [&](NodeRange range) { return static_cast<int>(range.size() * rows.dim()); };
  if (rank_ != 0) {
    MPI_Recv(rows.row(hosted().first), numbers(hosted()), type_of<Real>(), 0, 2, communicator_,
             MPI_STATUS_IGNORE);
    return;
  }
  for (int rank = 1; rank < ranks_; ++rank) {
    const NodeRange theirs = hosted_by(rank);
    MPI_Send(all.row(theirs.first), numbers(theirs), type_of<Real>(), rank, 2, communicator_);
  }
  std::copy_n(all.row(0), numbers(hosted()), rows.row(0));
}
void MpiNetwork::distribute(const Rows<float>& all, Rows<float>& rows) const {
  distribute_from_first(all, rows);
}
void MpiNetwork::distribute(const Rows<double>& all, Rows<double>& rows) const {
  distribute_from_first(all, rows);
}

void MpiNetwork::mean(FunctionRef<void(NodeId, VectorView<float>)> of,
                      VectorView<float> out) const {
  Rows<float> rows(hosted(), out.size());
  for_each_node([&](NodeId i) { of(i, rows[i]); });
  mean_over_ranks(rows, out.data());
}
void MpiNetwork::mean(FunctionRef<void(NodeId, VectorView<double>)> of,
                      VectorView<double> out) const {
  Rows<double> rows(hosted(), out.size());
  for_each_node([&](NodeId i) { of(i, rows[i]); });
  mean_over_ranks(rows, out.data());
}

void MpiNetwork::mix_rows(std::span<Rows<float>* const> rows, Mixing kind) {
  mix_over_ranks(rows, kind == Mixing::lazy);
}
void MpiNetwork::mix_rows(std::span<Rows<double>* const> rows, Mixing kind) {
  mix_over_ranks(rows, kind == Mixing::lazy);
}

namespace {

template <class Real, class Mean>
void average_each(std::span<Rows<Real>* const> all, NodeRange hosted, const Mean& mean) {
  for (Rows<Real>* rows : all) {
    Vector<Real> average(rows->dim());
    mean(*rows, average.data());
    for (NodeId i = hosted.first; i < hosted.last; ++i) (*rows)[i] = average;
  }
}

}  // namespace

void MpiNetwork::average_rows(std::span<Rows<float>* const> rows) {
  average_each<float>(rows, hosted(), [&](auto& of, float* out) { mean_over_ranks(of, out); });
}
void MpiNetwork::average_rows(std::span<Rows<double>* const> rows) {
  average_each<double>(rows, hosted(), [&](auto& of, double* out) { mean_over_ranks(of, out); });
}

}  // namespace driftless
