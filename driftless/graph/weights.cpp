#include "driftless/graph/weights.hpp"

#include <algorithm>
#include <utility>

#include "driftless/graph/compensated_sum.hpp"

namespace driftless {
namespace {

// Row i: weight_of(i, j) for every neighbour j, and on the diagonal what is missing to 1.
template <class WeightOf>
MixingMatrix build(const Graph& graph, WeightOf weight_of) {
  WeightRows rows;
  const std::size_t entries = 2 * graph.edges() + graph.nodes();
  rows.start.reserve(graph.nodes() + 1);
  rows.nodes.reserve(entries);
  rows.weights.reserve(entries);
  for (NodeId i = 0; i < graph.nodes(); ++i) {
    const auto neighbours = graph.neighbours(i);
    const auto lower = std::ranges::lower_bound(neighbours, i) - neighbours.begin();
    CompensatedSum given;
    for (const NodeId j : neighbours) given.add(weight_of(i, j));
    for (const NodeId j : neighbours.first(lower)) rows.add(j, weight_of(i, j));
    rows.add(i, 1 - given.value());
    for (const NodeId j : neighbours.subspan(lower)) rows.add(j, weight_of(i, j));
    rows.end_row();
  }
  return MixingMatrix(std::move(rows));
}

}  // namespace

MixingMatrix make_mixing(const Graph& graph, Weights weights) {
  switch (weights) {
    case Weights::metropolis:
      return build(graph, [&graph](NodeId i, NodeId j) {
        return 1.0 / (1 + std::max(graph.degree(i), graph.degree(j)));
      });
    case Weights::max_degree:
      return build(graph,
                   [weight = 1.0 / (1 + graph.max_degree())](NodeId, NodeId) { return weight; });
    case Weights::lazy_metropolis:
      return make_mixing(graph, Weights::metropolis).lazy();
    case Weights::lazy_max_degree:
      return make_mixing(graph, Weights::max_degree).lazy();
  }
  throw ConfigError("unknown weights");
}

}  // namespace driftless
