#include "driftless/network/mpi/mpi_collectives.hpp"

#include <algorithm>

#include "driftless/base/kernels.hpp"

namespace driftless {
namespace {

template <class Real>
MPI_Datatype type_of() {
  return sizeof(Real) == sizeof(float) ? MPI_FLOAT : MPI_DOUBLE;
}

// Mixes have tags from 100 on.
constexpr int collect_tag = 0;
constexpr int distribute_tag = 1;

// The numbers of each rank in the buffer of a collective call, one rank after the other.
class Layout {
 public:
  void add(Index numbers) {
    counts_.push_back(static_cast<int>(numbers));
    places_.push_back(total_);
    total_ += static_cast<int>(numbers);
  }
  const int* counts() const { return counts_.data(); }
  const int* places() const { return places_.data(); }
  std::size_t total() const { return static_cast<std::size_t>(total_); }

 private:
  std::vector<int> counts_, places_;
  int total_ = 0;
};

// The numbers of these nodes' rows, as MPI counts them.
template <class Real>
int count_of(const Rows<Real>& rows, NodeRange nodes) {
  return static_cast<int>(nodes.size() * rows.dim());
}

}  // namespace

// Every rank sums a slice of the columns over all nodes, in order, and tells the others. That costs
// the volume of an all-reduce, but an all-reduce would sum in an order that the library chooses.
template <class Real>
void mean_over_ranks(const MpiRanks& ranks, const Rows<Real>& rows, Real* out) {
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
    MPI_Alltoallv(outgoing.data(), sent.counts(), sent.places(), type_of<Real>(), incoming.data(),
                  received.counts(), received.places(), type_of<Real>(), ranks.communicator);
    sums.assign(static_cast<std::size_t>(own), Real(0));
    for (NodeId i = 0; i < hosting.nodes; ++i) {
      kernel::sum_in_order(sums.data(), incoming.data() + i * own, own);
    }
    for (Real& sum : sums) sum /= static_cast<Real>(hosting.nodes);
    MPI_Allgatherv(sums.data(), static_cast<int>(own), type_of<Real>(), out + begin,
                   slices.counts(), slices.places(), type_of<Real>(), ranks.communicator);
  }
}

std::vector<double> gather_over_ranks(const MpiRanks& ranks, const std::vector<double>& own) {
  Layout layout;
  for (int r = 0; r < ranks.hosting.processes; ++r) layout.add(ranks.hosting.of(r).size());
  std::vector<double> all(layout.total());
  MPI_Allgatherv(own.data(), static_cast<int>(own.size()), MPI_DOUBLE, all.data(), layout.counts(),
                 layout.places(), MPI_DOUBLE, ranks.communicator);
  return all;
}

// Rank by rank, so that no count exceeds what one rank holds.
template <class Real>
void collect_at_first(const MpiRanks& ranks, const Rows<Real>& rows, Rows<Real>& all) {
  const NodeRange hosted = ranks.hosted();
  if (ranks.rank != 0) {
    MPI_Send(rows.row(hosted.first), count_of(rows, hosted), type_of<Real>(), 0, collect_tag,
             ranks.communicator);
    return;
  }
  all = Rows<Real>({0, ranks.hosting.nodes}, rows.dim());
  std::copy_n(rows.row(0), count_of(rows, hosted), all.row(0));
  for (int r = 1; r < ranks.hosting.processes; ++r) {
    const NodeRange theirs = ranks.hosting.of(r);
    MPI_Recv(all.row(theirs.first), count_of(all, theirs), type_of<Real>(), r, collect_tag,
             ranks.communicator, MPI_STATUS_IGNORE);
  }
}

template <class Real>
void distribute_from_first(const MpiRanks& ranks, const Rows<Real>& all, Rows<Real>& rows) {
  const NodeRange hosted = ranks.hosted();
  if (ranks.rank != 0) {
    MPI_Recv(rows.row(hosted.first), count_of(rows, hosted), type_of<Real>(), 0, distribute_tag,
             ranks.communicator, MPI_STATUS_IGNORE);
    return;
  }
  for (int r = 1; r < ranks.hosting.processes; ++r) {
    const NodeRange theirs = ranks.hosting.of(r);
    MPI_Send(all.row(theirs.first), count_of(all, theirs), type_of<Real>(), r, distribute_tag,
             ranks.communicator);
  }
  std::copy_n(all.row(0), count_of(rows, hosted), rows.row(0));
}

template void mean_over_ranks(const MpiRanks&, const Rows<float>&, float*);
template void mean_over_ranks(const MpiRanks&, const Rows<double>&, double*);
template void collect_at_first(const MpiRanks&, const Rows<float>&, Rows<float>&);
template void collect_at_first(const MpiRanks&, const Rows<double>&, Rows<double>&);
template void distribute_from_first(const MpiRanks&, const Rows<float>&, Rows<float>&);
template void distribute_from_first(const MpiRanks&, const Rows<double>&, Rows<double>&);

}  // namespace driftless
