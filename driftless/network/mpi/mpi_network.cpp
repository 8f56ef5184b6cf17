#include "driftless/network/mpi/mpi_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "driftless/base/error.hpp"
#include "driftless/base/kernels.hpp"
#include "driftless/base/parallel.hpp"

namespace driftless {
namespace {

// Below are the tags of mpi_collectives.cpp.
constexpr int first_exchange_tag = 100;

}  // namespace

MpiNetwork::MpiNetwork(MixingMatrix matrix, const std::shared_ptr<MpiWaits>& waits)
    : Network(std::move(matrix)) {
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
  peers_ = find_peers(mixing(), ranks_.hosting, ranks_.rank);
  const NodeRange mine = hosted();
  for (NodeId i = mine.first; i < mine.last; ++i) {
    const bool inner =
        std::ranges::all_of(mixing().row(i).nodes, [&](NodeId j) { return mine.contains(j); });
    (inner ? inner_ : boundary_).push_back(i);
  }
}

MpiNetwork::~MpiNetwork() {
  exchanges_.clear();
  MPI_Comm_free(&ranks_.communicator);
}

MpiExchange& MpiNetwork::exchange_of(Bytes bytes_a_node) {
  for (const auto& exchange : exchanges_) {
    if (exchange->bytes_a_node() == bytes_a_node) return *exchange;
  }
  const int tag = first_exchange_tag + static_cast<int>(exchanges_.size());
  return *exchanges_.emplace_back(
      std::make_unique<MpiExchange>(peers_, *ranks_.waits, ranks_.communicator, bytes_a_node, tag));
}

template <class Real>
void MpiNetwork::mix_nodes(const std::vector<NodeId>& nodes, bool lazy, RowsList<Real> rows,
                           const MpiExchange& exchange, std::vector<Rows<Real>>& mixed) const {
  const NodeRange mine = hosted();
  // Row j of rows[k]: hosted here, or `offset` numbers into what a message brought of node j.
  const auto row_of = [&](NodeId j, std::size_t k, Index offset) -> const Real* {
    if (mine.contains(j)) return rows[k]->row(j);
    const int rank = ranks_.hosting.host_of(j);
    const auto peer = std::ranges::lower_bound(peers_, rank, {}, &MpiPeer::rank);
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

// Nodes that need no message are mixed while the messages are under way.
template <class Real>
void MpiNetwork::mix_over_ranks(RowsList<Real> rows, bool lazy) {
  const Bytes bytes_a_node = message_bytes(rows);
  if (bytes_a_node == 0) return;
  MpiExchange& exchange = exchange_of(bytes_a_node);
  for (MpiExchange::Parcel& parcel : exchange.parcels()) {
    std::byte* to = parcel.bytes.data();
    for (const NodeId node : parcel.nodes) {
      for (const Rows<Real>* each : rows) {
        const std::size_t bytes = static_cast<std::size_t>(each->dim()) * sizeof(Real);
        to = std::copy_n(reinterpret_cast<const std::byte*>(each->row(node)), bytes, to);
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
  exchange.wait_for_sent();  // MPI moves messages on only while it is called
  for (std::size_t k = 0; k < rows.size(); ++k) std::swap(*rows[k], mixed[k]);
}

void MpiNetwork::mix_rows(FloatOrDouble<RowsList> rows, Mixing kind) {
  std::visit([&](auto all) { mix_over_ranks(all, kind == Mixing::lazy); }, rows);
}

void MpiNetwork::average_rows(FloatOrDouble<RowsList> rows) {
  const auto average_each = [&]<class Real>(RowsList<Real> all) {
    for (Rows<Real>* each : all) {
      Vector<Real> average(each->dim());
      mean_over_ranks(ranks_, *each, average.data());
      for (NodeId i = hosted().first; i < hosted().last; ++i) (*each)[i] = average;
    }
  };
  std::visit(average_each, rows);
}

void MpiNetwork::mean_of(FloatOrDouble<MeanRequest> request) const {
  const auto mean_of_each = [&]<class Real>(MeanRequest<Real> mean) {
    Rows<Real> rows(hosted(), mean.out.size());
    for_each_node([&](NodeId i) { mean.of(i, rows[i]); });
    mean_over_ranks(ranks_, rows, mean.out.data());
  };
  std::visit(mean_of_each, request);
}

void MpiNetwork::collect_rows(FloatOrDouble<Transfer> transfer) const {
  std::visit([&](auto each) { collect_at_first(ranks_, each.from, each.to); }, transfer);
}

void MpiNetwork::distribute_rows(FloatOrDouble<Transfer> transfer) const {
  std::visit([&](auto each) { distribute_from_first(ranks_, each.from, each.to); }, transfer);
}

}  // namespace driftless
