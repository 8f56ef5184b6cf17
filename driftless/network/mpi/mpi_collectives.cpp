#include "driftless/network/mpi/mpi_collectives.hpp"

#include <algorithm>

#include "driftless/base/kernels.hpp"
#include "driftless/network/mpi/mpi_messages.hpp"

namespace driftless {
namespace {

template <class Real>
MPI_Datatype type_of() {
  return sizeof(Real) == sizeof(float) ? MPI_FLOAT : MPI_DOUBLE;
}

// Mixes have tags from 100 on.
constexpr int collect_tag = 0;
constexpr int distribute_tag = 1;
constexpr int all_tag = 2;
constexpr int row_tag = 3;

// The numbers of each rank in a buffer, one rank after the other.
class Layout {
 public:
  void add(Index numbers) {
    places_.push_back(total_);
    counts_.push_back(static_cast<int>(numbers));
    total_ += numbers;
  }
  int count(int rank) const { return counts_[static_cast<std::size_t>(rank)]; }
  Index place(int rank) const { return places_[static_cast<std::size_t>(rank)]; }
  std::size_t total() const { return static_cast<std::size_t>(total_); }

 private:
  std::vector<int> counts_;
  std::vector<Index> places_;
  Index total_ = 0;
};

// Every rank sends every other its part of `outgoing`, and gets the parts of `incoming`. MPI's own
// calls for this would not tell which rank they wait for.
template <class Real>
void exchange_with_all(const MpiRanks& ranks, const Real* outgoing, const Layout& sent,
                       Real* incoming, const Layout& received) {
  MpiMessages messages(*ranks.waits, ranks.communicator, all_tag);
  with_every_other(
      ranks.rank, ranks.hosting.processes,
      [&](int from) {
        if (received.count(from) == 0) return;
        messages.receive(incoming + received.place(from), received.count(from), type_of<Real>(),
                         from);
      },
      [&](int to) {
        if (sent.count(to) == 0) return;
        messages.send(outgoing + sent.place(to), sent.count(to), type_of<Real>(), to);
      });
  std::copy_n(outgoing + sent.place(ranks.rank), sent.count(ranks.rank),
              incoming + received.place(ranks.rank));
  messages.wait();
}

// Every rank tells every other the same numbers, which are its part of `all`.
template <class Real>
void tell_all(const MpiRanks& ranks, const Real* own, Real* all, const Layout& parts) {
  MpiMessages messages(*ranks.waits, ranks.communicator, all_tag);
  const int count = parts.count(ranks.rank);
  with_every_other(
      ranks.rank, ranks.hosting.processes,
      [&](int from) {
        if (parts.count(from) == 0) return;
        messages.receive(all + parts.place(from), parts.count(from), type_of<Real>(), from);
      },
      [&](int to) {
        if (count > 0) messages.send(own, count, type_of<Real>(), to);
      });
  std::copy_n(own, count, all + parts.place(ranks.rank));
  messages.wait();
}

// The numbers of these nodes' rows, as MPI counts them.
template <class Real>
int count_of(const Rows<Real>& rows, NodeRange nodes) {
  return static_cast<int>(nodes.size() * rows.dim());
}

}  // namespace

// Every rank sums a slice of the columns over all nodes, in order, and tells the others. That costs
// the volume of an all-reduce, but an all-reduce would sum in an order that the library chooses.
template <class Real>
void mean_over_ranks(const MpiRanks& ranks, const Rows<Real>& rows, NodeId count, Real* out) {
  constexpr Index most_columns = Index{1} << 20;  // at a time: bounds the memory and MPI's counts
  const Hosting& hosting = ranks.hosting;
  const NodeRange hosted = ranks.hosted();
  std::vector<Real> outgoing, incoming, sums;
  for (Index begin = 0; begin < rows.dim(); begin += most_columns) {
    const Index columns = std::min(most_columns, rows.dim() - begin);
    const auto slice_begin = [&](Index r) { return columns * r / hosting.processes; };
    const auto width = [&](Index r) { return slice_begin(r + 1) - slice_begin(r); };
    const Index own = width(ranks.rank);
    Layout sent, received, slices;
    for (int r = 0; r < hosting.processes; ++r) {
      sent.add(hosted.size() * width(r));
      received.add(hosting.of(r).size() * own);
      slices.add(width(r));
    }
    outgoing.resize(sent.total());
    incoming.resize(received.total());
    auto next = outgoing.begin();
    for (int r = 0; r < hosting.processes; ++r) {
      for (NodeId i = hosted.first; i < hosted.last; ++i) {
        next = std::copy_n(rows.row(i) + begin + slice_begin(r), width(r), next);
      }
    }
    exchange_with_all(ranks, outgoing.data(), sent, incoming.data(), received);
    sums.assign(static_cast<std::size_t>(own), Real(0));
    for (NodeId i = 0; i < hosting.nodes; ++i) {
      kernel::sum_in_order(sums.data(), incoming.data() + i * own, own);
    }
    for (Real& sum : sums) sum /= static_cast<Real>(count);
    tell_all(ranks, sums.data(), out + begin, slices);
  }
}

std::vector<double> gather_over_ranks(const MpiRanks& ranks, const std::vector<double>& own) {
  Layout layout;
  for (int r = 0; r < ranks.hosting.processes; ++r) layout.add(ranks.hosting.of(r).size());
  std::vector<double> all(layout.total());
  tell_all(ranks, own.data(), all.data(), layout);
  return all;
}

// A message for each rank, so that no count exceeds what one rank holds.
template <class Real>
void collect_at_first(const MpiRanks& ranks, const Rows<Real>& rows, Rows<Real>& all) {
  const NodeRange hosted = ranks.hosted();
  MpiMessages messages(*ranks.waits, ranks.communicator, collect_tag);
  if (ranks.rank != 0) {
    messages.send(rows.row(hosted.first), count_of(rows, hosted), type_of<Real>(), 0);
    return messages.wait();
  }
  all = Rows<Real>({0, ranks.hosting.nodes}, rows.dim());
  std::copy_n(rows.row(0), count_of(rows, hosted), all.row(0));
  for (int r = 1; r < ranks.hosting.processes; ++r) {
    const NodeRange theirs = ranks.hosting.of(r);
    messages.receive(all.row(theirs.first), count_of(all, theirs), type_of<Real>(), r);
  }
  messages.wait();
}

template <class Real>
void distribute_from_first(const MpiRanks& ranks, const Rows<Real>& all, Rows<Real>& rows) {
  const NodeRange hosted = ranks.hosted();
  MpiMessages messages(*ranks.waits, ranks.communicator, distribute_tag);
  if (ranks.rank != 0) {
    messages.receive(rows.row(hosted.first), count_of(rows, hosted), type_of<Real>(), 0);
    return messages.wait();
  }
  for (int r = 1; r < ranks.hosting.processes; ++r) {
    const NodeRange theirs = ranks.hosting.of(r);
    messages.send(all.row(theirs.first), count_of(all, theirs), type_of<Real>(), r);
  }
  std::copy_n(all.row(0), count_of(rows, hosted), rows.row(0));
  messages.wait();
}

template <class Real>
void send_row(const MpiRanks& ranks, const Real* row, Index dim, int to) {
  MpiMessages messages(*ranks.waits, ranks.communicator, row_tag);
  messages.send(row, static_cast<int>(dim), type_of<Real>(), to);
  messages.wait();
}

template <class Real>
void receive_row(const MpiRanks& ranks, Real* row, Index dim, int from) {
  MpiMessages messages(*ranks.waits, ranks.communicator, row_tag);
  messages.receive(row, static_cast<int>(dim), type_of<Real>(), from);
  messages.wait();
}

template void mean_over_ranks(const MpiRanks&, const Rows<float>&, NodeId, float*);
template void mean_over_ranks(const MpiRanks&, const Rows<double>&, NodeId, double*);
template void send_row(const MpiRanks&, const float*, Index, int);
template void send_row(const MpiRanks&, const double*, Index, int);
template void receive_row(const MpiRanks&, float*, Index, int);
template void receive_row(const MpiRanks&, double*, Index, int);
template void collect_at_first(const MpiRanks&, const Rows<float>&, Rows<float>&);
template void collect_at_first(const MpiRanks&, const Rows<double>&, Rows<double>&);
template void distribute_from_first(const MpiRanks&, const Rows<float>&, Rows<float>&);
template void distribute_from_first(const MpiRanks&, const Rows<double>&, Rows<double>&);

}  // namespace driftless
