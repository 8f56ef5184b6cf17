#include "driftless/network/mpi/mpi_network.hpp"

#include <fmt/format.h>

#include "driftless/base/error.hpp"
#include "driftless/network/mpi/mpi_exchange.hpp"

namespace driftless {
namespace {

// Below are the tags of mpi_collectives.cpp.
constexpr int first_exchange_tag = 100;

}  // namespace

void MpiNetwork::join(const std::shared_ptr<MpiWaits>& waits) {
  const int count = waits->count();
  if (count > nodes()) {
    throw ConfigError(
        "{} ranks for network.nodes = {}: a rank hosts at least one node; start at most {}", count,
        nodes(), nodes());
  }
  ranks_ = {.waits = waits,
            .communicator = waits->duplicate(),
            .rank = waits->rank(),
            .hosting = {nodes(), count}};
  take_block(ranks_.hosting, ranks_.rank);
}

MpiNetwork::~MpiNetwork() {
  drop_exchanges();
  MPI_Comm_free(&ranks_.communicator);
}

std::unique_ptr<Exchange> MpiNetwork::make_exchange(const std::vector<LinkedProcess>& linked,
                                                    Bytes bytes_a_node, int number) {
  return std::make_unique<MpiExchange>(linked, *ranks_.waits, ranks_.communicator, bytes_a_node,
                                       first_exchange_tag + number);
}

void MpiNetwork::copy_row(FloatOrDouble<RowCopy> copy) {
  const auto copy_over_ranks = [&]<class Real>(const RowCopy<Real>& row) {
    const int from = ranks_.hosting.host_of(row.from);
    const int to = ranks_.hosting.host_of(row.to);
    if (from == to) {
      if (from == ranks_.rank) row.rows[row.to] = row.rows[row.from];
    } else if (from == ranks_.rank) {
      send_row(ranks_, row.rows.row(row.from), row.rows.dim(), to);
    } else if (to == ranks_.rank) {
      receive_row(ranks_, row.rows.row(row.to), row.rows.dim(), from);
    }
  };
  std::visit(copy_over_ranks, copy);
}

void MpiNetwork::mean_rows(FloatOrDouble<RowsMean> mean) const {
  std::visit([&](auto each) { mean_over_ranks(ranks_, each.rows, each.count, each.out); }, mean);
}

void MpiNetwork::collect_rows(FloatOrDouble<Transfer> transfer) const {
  std::visit([&](auto each) { collect_at_first(ranks_, each.from, each.to); }, transfer);
}

void MpiNetwork::distribute_rows(FloatOrDouble<Transfer> transfer) const {
  std::visit([&](auto each) { distribute_from_first(ranks_, each.from, each.to); }, transfer);
}

}  // namespace driftless
