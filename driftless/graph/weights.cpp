#include "driftless/graph/weights.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <vector>

#include "driftless/base/error.hpp"
#include "driftless/graph/compensated_sum.hpp"

namespace driftless {

namespace {

constexpr std::array<WeightsEntry, 4> table = {{
    {Weights::metropolis, "metropolis", "1 / (1 + the larger degree of the two)"},
    {Weights::max_degree, "max_degree", "1 / (1 + the largest degree of all)"},
    {Weights::lazy_metropolis, "lazy_metropolis", "(I + W) / 2 of metropolis"},
    {Weights::lazy_max_degree, "lazy_max_degree", "(I + W) / 2 of max_degree"},
}};

// Row i: weight_of(i, j) for every neighbour j, and on the diagonal what is missing to 1.
template <class WeightOf>
MixingMatrix build(const Graph& graph, WeightOf weight_of) {
  WeightRows rows;
  const std::size_t entries = 2 * graph.edges() + graph.nodes();
  rows.start.reserve(graph.nodes() + 1);
  rows.nodes.reserve(entries);
  rows.weights.reserve(entries);
  rows.start.push_back(0);
  for (NodeId i = 0; i < graph.nodes(); ++i) {
    CompensatedSum given;
    for (const NodeId j : graph.neighbours(i)) given.add(weight_of(i, j));
    const auto append = [&rows](NodeId j, double weight) {
      rows.nodes.push_back(j);
      rows.weights.push_back(weight);
    };
    bool before_diagonal = true;
    for (const NodeId j : graph.neighbours(i)) {
      if (before_diagonal && j > i) {
        append(i, 1 - given.value());
        before_diagonal = false;
      }
      append(j, weight_of(i, j));
    }
    if (before_diagonal) append(i, 1 - given.value());
    rows.start.push_back(rows.nodes.size());
  }
  return MixingMatrix(std::move(rows));
}

}  // namespace

std::span<const WeightsEntry> weights_table() { return table; }

std::string_view weights_name(Weights weights) {
  return std::find_if(table.begin(), table.end(),
                      [weights](const WeightsEntry& entry) { return entry.weights == weights; })
      ->name;
}

Weights weights_from_name(std::string_view name) {
  std::vector<std::string_view> names;
  for (const WeightsEntry& entry : table) {
    if (entry.name == name) return entry.weights;
    names.push_back(entry.name);
  }
  throw ConfigError(
      fmt::format("unknown weights \"{}\": expected one of {}", name, fmt::join(names, ", ")));
}

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
