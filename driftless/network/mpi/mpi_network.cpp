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
  if (links_fixed()) route_ = route_of(links());
}

MpiNetwork::Route MpiNetwork::route_of(const WeightRows& links) const {
  Route route{.peers = find_peers(links, ranks_.hosting, ranks_.rank), .inner = {}, .boundary = {}};
  const NodeRange mine = hosted();
  for (NodeId i = mine.first; i < mine.last; ++i) {
    const bool inner =
        std::ranges::all_of(links.row(i).nodes, [&](NodeId j) { return mine.contains(j); });
    (inner ? route.inner : route.boundary).push_back(i);
  }
  return route;
}

void MpiNetwork::take_route() {
  if (links_fixed()) return;
  exchanges_.clear();
  route_ = route_of(links());
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
  return *exchanges_.emplace_back(std::make_unique<MpiExchange>(
      route_.peers, *ranks_.waits, ranks_.communicator, bytes_a_node, tag));
}

template <class Real>
void MpiNetwork::mix_nodes(const std::vector<NodeId>& nodes, bool lazy, RowsList<Real> rows,
                           const MpiExchange& exchange, std::vector<Rows<Real>>& mixed) const {
  const NodeRange mine = hosted();
  // Row j of rows[k]: hosted here, or `offset` numbers into what a message brought of node j.
  const auto row_of = [&](NodeId j, std::size_t k, Index offset) -> const Real* {
    if (mine.contains(j)) return rows[k]->row(j);
    const int rank = ranks_.hosting.host_of(j);
    const auto peer = std::ranges::lower_bound(route_.peers, rank, {}, &MpiPeer::rank);
    const auto node = std::ranges::lower_bound(peer->received, j);
    const std::byte* message =
        exchange.from(static_cast<std::size_t>(peer - route_.peers.begin()),
                      static_cast<std::size_t>(node - peer->received.begin()));
    return reinterpret_cast<const Real*>(message) + offset;
  };
  parallel(std::ssize(nodes), [&](Index task) {
    const NodeId i = nodes[static_cast<std::size_t>(task)];
    const auto row = links().row(i);
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
  take_route();
  MpiExchange& exchange = exchange_of(bytes_a_node);
  for (MpiExchange::Parcel& parcel : exchange.parcels()) {
    std::byte* to = parcel.bytes.data();
    for (const NodeId node : parcel.nodes) {
      for (const Rows<Real>* each : rows) {
        const std::size_t bytes = static_cast<std::size_t>(each->dim()) * sizeof(Real);
        to = std::copy_n(reinterpret_cast<const std::byte*>(each->row(node)), bytes, to);
      }
    }
  }
  bytes_sent_ += exchange.send();
  auto& mixed = std::get<std::vector<Rows<Real>>>(spare_);
  while (mixed.size() < rows.size()) mixed.emplace_back(hosted(), 0);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (mixed[k].dim() != rows[k]->dim()) mixed[k] = Rows<Real>(hosted(), rows[k]->dim());
  }
  mix_nodes(route_.inner, lazy, rows, exchange, mixed);
  exchange.wait_for_received();
  mix_nodes(route_.boundary, lazy, rows, exchange, mixed);
  if (links_fixed()) exchange.expect();
  exchange.wait_for_sent();  // MPI moves messages on only while it is called
  for (std::size_t k = 0; k < rows.size(); ++k) std::swap(*rows[k], mixed[k]);
}

void MpiNetwork::mix_rows(FloatOrDouble<RowsList> rows, Mixing kind) {
  std::visit([&](auto all) { mix_over_ranks(all, kind == Mixing::lazy); }, rows);
}

void MpiNetwork::swap_letters(Bytes bytes, FunctionRef<void(NodeId, std::byte*)> pack,
                              FunctionRef<void(NodeId, const std::byte*)> take) {
  take_route();
  MpiExchange& exchange = exchange_of(bytes);
  for (MpiExchange::Parcel& parcel : exchange.parcels()) {
    std::byte* to = parcel.bytes.data();
    for (const NodeId node : parcel.nodes) {
      pack(node, to);
      to += bytes;
    }
  }
  bytes_sent_ += exchange.send();
  exchange.wait_for_received();
  for (std::size_t peer = 0; peer < route_.peers.size(); ++peer) {
    const std::vector<NodeId>& nodes = route_.peers[peer].received;
    for (std::size_t k = 0; k < nodes.size(); ++k) take(nodes[k], exchange.from(peer, k));
  }
  if (links_fixed()) exchange.expect();
  exchange.wait_for_sent();
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

void MpiNetwork::average_rows(FloatOrDouble<AverageRequest> request) {
  const auto average_each = [&]<class Real>(const AverageRequest<Real>& all) {
    for (Rows<Real>* each : all.rows) {
      Vector<Real> average(each->dim());
      mean_over_ranks(ranks_, *each, all.count, average.data());
      for (NodeId i = hosted().first; i < hosted().last; ++i) (*each)[i] = average;
    }
  };
  std::visit(average_each, request);
}

void MpiNetwork::mean_of(FloatOrDouble<MeanRequest> request) const {
  const auto mean_of_each = [&]<class Real>(MeanRequest<Real> mean) {
    Rows<Real> rows(hosted(), mean.out.size());
    const NodeRange mine = hosted();
    parallel(mine.size(), [&](Index k) {
      const NodeId i = mine.first + static_cast<NodeId>(k);
      mean.of(i, rows[i]);
    });
    mean_over_ranks(ranks_, rows, mean.count, mean.out.data());
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
