#include "driftless/network/block_network.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "driftless/base/kernels.hpp"
#include "driftless/base/parallel.hpp"

namespace driftless {

// W is symmetric: a node's row goes to all processes that its neighbours' rows come from.
std::vector<LinkedProcess> linked_processes(const WeightRows& links, const Hosting& hosting,
                                            int process) {
  struct Nodes {
    std::set<NodeId> sent, received;
  };
  std::map<int, Nodes> by_process;
  const NodeRange hosted = hosting.of(process);
  for (NodeId i = hosted.first; i < hosted.last; ++i) {
    for (const NodeId j : links.row(i).nodes) {
      if (hosted.contains(j)) continue;
      Nodes& nodes = by_process[hosting.host_of(j)];
      nodes.sent.insert(i);
      nodes.received.insert(j);
    }
  }
  std::vector<LinkedProcess> linked;
  linked.reserve(by_process.size());
  for (const auto& [other, nodes] : by_process) {
    linked.push_back({other,
                      {nodes.sent.begin(), nodes.sent.end()},
                      {nodes.received.begin(), nodes.received.end()}});
  }
  return linked;
}

std::vector<Parcel> parcels(const std::vector<LinkedProcess>& linked) {
  std::vector<Parcel> found;
  for (std::size_t k = 0; k < linked.size(); ++k) {
    auto parcel = std::ranges::find(found, linked[k].sent, &Parcel::nodes);
    if (parcel == found.end()) parcel = found.insert(found.end(), {linked[k].sent, {}});
    parcel->to.push_back(k);
  }
  return found;
}

void BlockNetwork::take_block(const Hosting& hosting, int process) {
  hosting_ = hosting;
  process_ = process;
  if (links_fixed()) route_ = route_of(links());
}

BlockNetwork::Route BlockNetwork::route_of(const WeightRows& links) const {
  Route route{.linked = linked_processes(links, hosting_, process_), .inner = {}, .boundary = {}};
  const NodeRange mine = hosted();
  for (NodeId i = mine.first; i < mine.last; ++i) {
    const bool inner =
        std::ranges::all_of(links.row(i).nodes, [&](NodeId j) { return mine.contains(j); });
    (inner ? route.inner : route.boundary).push_back(i);
  }
  return route;
}

void BlockNetwork::take_route() {
  if (links_fixed()) return;
  exchanges_.clear();
  route_ = route_of(links());
}

Exchange& BlockNetwork::exchange_of(Bytes bytes_a_node) {
  const auto found = std::ranges::find(exchanges_, bytes_a_node, &SizedExchange::bytes_a_node);
  if (found != exchanges_.end()) return *found->exchange;
  const int number = static_cast<int>(exchanges_.size());
  exchanges_.push_back({bytes_a_node, make_exchange(route_.linked, bytes_a_node, number)});
  return *exchanges_.back().exchange;
}

template <class Real>
void BlockNetwork::mix_nodes(const std::vector<NodeId>& nodes, bool lazy, RowsList<Real> rows,
                             const Exchange& exchange, std::vector<Rows<Real>>& mixed) const {
  const NodeRange mine = hosted();
  // Row j of rows[k]: hosted here, or `offset` numbers into what a message brought of node j.
  const auto row_of = [&](NodeId j, std::size_t k, Index offset) -> const Real* {
    if (mine.contains(j)) return rows[k]->row(j);
    const int process = hosting_.host_of(j);
    const auto other =
        std::ranges::lower_bound(route_.linked, process, {}, &LinkedProcess::process);
    const auto node = std::ranges::lower_bound(other->received, j);
    const std::byte* message =
        exchange.from(static_cast<std::size_t>(other - route_.linked.begin()),
                      static_cast<std::size_t>(node - other->received.begin()));
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
void BlockNetwork::mix_over_processes(RowsList<Real> rows, bool lazy) {
  const Bytes bytes_a_node = message_bytes(rows);
  if (bytes_a_node == 0) return;
  take_route();
  Exchange& exchange = exchange_of(bytes_a_node);
  bytes_sent_ += exchange.send([&](NodeId node, std::byte* to) {
    for (const Rows<Real>* each : rows) {
      const std::size_t bytes = static_cast<std::size_t>(each->dim()) * sizeof(Real);
      to = std::copy_n(reinterpret_cast<const std::byte*>(each->row(node)), bytes, to);
    }
  });
  auto& mixed = std::get<std::vector<Rows<Real>>>(spare_);
  while (mixed.size() < rows.size()) mixed.emplace_back(hosted(), 0);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (mixed[k].dim() != rows[k]->dim()) mixed[k] = Rows<Real>(hosted(), rows[k]->dim());
  }
  mix_nodes(route_.inner, lazy, rows, exchange, mixed);
  exchange.wait_for_received();
  mix_nodes(route_.boundary, lazy, rows, exchange, mixed);
  exchange.finish(links_fixed());
  for (std::size_t k = 0; k < rows.size(); ++k) std::swap(*rows[k], mixed[k]);
}

void BlockNetwork::mix_rows(FloatOrDouble<RowsList> rows, Mixing kind) {
  std::visit([&](auto all) { mix_over_processes(all, kind == Mixing::lazy); }, rows);
}

void BlockNetwork::swap_letters(Bytes bytes, PackNode pack,
                                FunctionRef<void(NodeId, const std::byte*)> take) {
  take_route();
  Exchange& exchange = exchange_of(bytes);
  bytes_sent_ += exchange.send(pack);
  exchange.wait_for_received();
  for (std::size_t k = 0; k < route_.linked.size(); ++k) {
    const std::vector<NodeId>& nodes = route_.linked[k].received;
    for (std::size_t node = 0; node < nodes.size(); ++node) {
      take(nodes[node], exchange.from(k, node));
    }
  }
  exchange.finish(links_fixed());
}

void BlockNetwork::average_rows(FloatOrDouble<AverageRequest> request) {
  const auto average_each = [&]<class Real>(const AverageRequest<Real>& all) {
    for (Rows<Real>* each : all.rows) {
      Vector<Real> average(each->dim());
      mean_rows(RowsMean<Real>{*each, all.count, average.data()});
      for (NodeId i = hosted().first; i < hosted().last; ++i) (*each)[i] = average;
    }
  };
  std::visit(average_each, request);
}

void BlockNetwork::mean_of(FloatOrDouble<MeanRequest> request) const {
  const auto mean_of_each = [&]<class Real>(MeanRequest<Real> mean) {
    Rows<Real> rows(hosted(), mean.out.size());
    const NodeRange mine = hosted();
    parallel(mine.size(), [&](Index k) {
      const NodeId i = mine.first + static_cast<NodeId>(k);
      mean.of(i, rows[i]);
    });
    mean_rows(RowsMean<Real>{rows, mean.count, mean.out.data()});
  };
  std::visit(mean_of_each, request);
}

}  // namespace driftless
