#pragma once

#include <mpi.h>

#include <memory>
#include <vector>

#include "driftless/base/hosting.hpp"
#include "driftless/network/mpi/mpi_waits.hpp"
#include "driftless/network/rows.hpp"

namespace driftless {

// The ranks of a communicator, and the nodes that each of them hosts.
struct MpiRanks {
  std::shared_ptr<MpiWaits> waits;
  MPI_Comm communicator = MPI_COMM_NULL;
  int rank = 0;  // of this process
  Hosting hosting;

  NodeRange hosted() const { return hosting.of(rank); }
};

// All ranks call each of these at the same point of the program; `Real` is float or double.

// out ← (1/count) Σ of all nodes' rows, in ascending order of the nodes, on every rank.
template <class Real>
void mean_over_ranks(const MpiRanks& ranks, const Rows<Real>& rows, NodeId count, Real* out);

// The numbers of all nodes, in order, on every rank; `own` has those of the nodes hosted here.
std::vector<double> gather_over_ranks(const MpiRanks& ranks, const std::vector<double>& own);

// On rank 0, all ← the rows of all nodes; the other ranks' `all` is not looked at.
template <class Real>
void collect_at_first(const MpiRanks& ranks, const Rows<Real>& rows, Rows<Real>& all);

// rows ← the hosted nodes' part of rank 0's `all`; the other ranks' `all` is not looked at.
template <class Real>
void distribute_from_first(const MpiRanks& ranks, const Rows<Real>& all, Rows<Real>& rows);

// One row from a rank to another; only these two call this.
template <class Real>
void send_row(const MpiRanks& ranks, const Real* row, Index dim, int to);
template <class Real>
void receive_row(const MpiRanks& ranks, Real* row, Index dim, int from);

}  // namespace driftless
