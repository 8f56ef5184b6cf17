#include "driftless/graph/families.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>

#include "driftless/base/named.hpp"
#include "driftless/graph/family_edges.hpp"

namespace driftless {
namespace {

constexpr int max_attempts = 100;

void check_edge_count(const TopologyOptions& options, double edges) {
  if (edges > static_cast<double>(max_edges)) {
    throw ConfigError(
        "topology {} of {} nodes has about {:.3g} edges: expected at most {}; choose fewer nodes "
        "or "
        "a sparser topology",
        options.family, options.nodes, edges, max_edges);
  }
}

// ---- What each family asks of its parameters -------------------------------------------------

void resolve_cliques(TopologyOptions& options) {
  const double n = options.nodes;
  check_edge_count(options, options.family == "complete" ? n * (n - 1) / 2 : n * n / 4);
}

void resolve_torus(TopologyOptions& options) {
  const NodeId n = options.nodes;
  if (!options.rows && !options.columns) {
    int rows = static_cast<int>(std::sqrt(static_cast<double>(n)));
    while (n % rows != 0) --rows;
    options.rows = rows;
  }
  for (const auto given : {options.rows, options.columns}) {
    if (given && (*given < 1 || n % *given != 0)) {
      throw ConfigError("topology torus: {} rows or columns do not divide {} nodes", *given, n);
    }
  }
  if (!options.rows) options.rows = n / *options.columns;
  if (!options.columns) options.columns = n / *options.rows;
  if (std::int64_t{*options.rows} * *options.columns != n) {
    throw ConfigError("topology torus: {} rows x {} columns are not {} nodes", *options.rows,
                      *options.columns, n);
  }
}

void resolve_hypercube(TopologyOptions& options) {
  const auto n = static_cast<unsigned>(options.nodes);
  if (!std::has_single_bit(n)) {
    throw ConfigError(
        "topology hypercube: found {} nodes, expected a power of two, such as {} or {}", n,
        std::bit_floor(n), std::bit_ceil(n));
  }
}

void resolve_erdos_renyi(TopologyOptions& options) {
  const double n = std::max(2, options.nodes);
  if (!options.edge_probability) options.edge_probability = std::min(1.0, 2 * std::log(n) / n);
  const double probability = *options.edge_probability;
  if (!(probability > 0 && probability <= 1)) {
    throw ConfigError(
        "topology erdos_renyi: found edge_probability {}, expected more than 0 and at most 1",
        probability);
  }
  check_edge_count(options, probability * n * (n - 1) / 2);
}

void resolve_random_regular(TopologyOptions& options) {
  const NodeId n = options.nodes;
  if (!options.degree) options.degree = std::min(4, n - 1);
  const int degree = *options.degree;
  if (degree < std::min(1, n - 1) || degree > n - 1) {
    throw ConfigError("topology random_regular: found degree {}, expected {} to {} ({} nodes)",
                      degree, std::min(1, n - 1), n - 1, n);
  }
  if (n % 2 == 1 && degree % 2 == 1) {
    throw ConfigError(
        "topology random_regular: {} nodes of degree {} do not pair up: nodes x degree must be "
        "even",
        n, degree);
  }
  check_edge_count(options, 0.5 * n * degree);
}

void resolve_random_geometric(TopologyOptions& options) {
  const double n = std::max(2, options.nodes);
  if (!options.radius) options.radius = std::sqrt(3 * std::log(n) / (std::numbers::pi * n));
  const double radius = *options.radius;
  if (!(radius > 0 && std::isfinite(radius))) {
    throw ConfigError("topology random_geometric: found radius {}, expected more than 0", radius);
  }
  check_edge_count(options, n * n / 2 * std::min(1.0, std::numbers::pi * radius * radius));
}

void check_parameters(const TopologyOptions& options, const GraphFamily& family) {
  const std::array<std::pair<std::string_view, bool>, 5> given = {{
      {"rows", options.rows.has_value()},
      {"columns", options.columns.has_value()},
      {"edge_probability", options.edge_probability.has_value()},
      {"degree", options.degree.has_value()},
      {"radius", options.radius.has_value()},
  }};
  const auto takes = [](const GraphFamily& some, std::string_view parameter) {
    return std::ranges::count(some.parameters, parameter) > 0;
  };
  for (const auto& [parameter, is_given] : given) {
    if (!is_given || takes(family, parameter)) continue;
    std::vector<std::string_view> takers;
    for (const GraphFamily& other : graph_families()) {
      if (takes(other, parameter)) takers.push_back(other.name);
    }
    throw ConfigError("topology {} takes no {}; {} does", family.name, parameter,
                      fmt::join(takers, ", "));
  }
}

}  // namespace

std::span<const GraphFamily> graph_families() {
  static const std::vector<GraphFamily> table = {
      {"ring", "a cycle: two neighbours each", ring_edges},
      {"path", "a line: two neighbours each, one at the ends", path_edges},
      {"star", "node 0 is everyone's only neighbour", star_edges},
      {"complete", "everyone is everyone's neighbour", complete_edges, resolve_cliques},
      {"torus",
       "rows x columns, wrapped around: four neighbours each; nearest to square by default",
       torus_edges,
       resolve_torus,
       {"rows", "columns"}},
      {"hypercube", "ids that differ in one bit; nodes a power of two", hypercube_edges,
       resolve_hypercube},
      {"exponential", "ids that differ by a power of two, modulo n", exponential_edges},
      {"erdos_renyi",
       "every pair with edge_probability (default 2 ln n / n)",
       erdos_renyi_edges,
       resolve_erdos_renyi,
       {"edge_probability"},
       true},
      {"random_regular",
       "random, with the same degree (default 4) everywhere",
       random_regular_edges,
       resolve_random_regular,
       {"degree"},
       true},
      {"random_geometric",
       "points in the unit square within radius (default sqrt(3 ln n / (pi n)))",
       random_geometric_edges,
       resolve_random_geometric,
       {"radius"},
       true},
      {"binary_tree", "node i's parent is (i - 1) / 2", binary_tree_edges},
      {"barbell", "two cliques of n / 2 joined by one edge; an odd node goes to the first",
       barbell_edges, resolve_cliques},
  };
  return table;
}

TopologyOptions resolve_topology(TopologyOptions options) {
  const GraphFamily& family = find_named(graph_families(), "topology", options.family);
  if (options.nodes < 1 || options.nodes > max_nodes) {
    throw ConfigError("topology {}: found {} nodes, expected 1 to {}", options.family,
                      options.nodes, max_nodes);
  }
  check_parameters(options, family);
  family.resolve(options);
  return options;
}

Graph make_graph(const TopologyOptions& options) {
  const TopologyOptions resolved = resolve_topology(options);
  const GraphFamily& family = find_named(graph_families(), "topology", resolved.family);
  for (int attempt = 0; attempt < (family.random ? max_attempts : 1); ++attempt) {
    Graph graph(resolved.nodes, family.edges(resolved, attempt));
    if (graph.is_connected()) return graph;
  }
  throw ConfigError("topology {} of {} nodes: {} drawings, none connected; raise {}",
                    resolved.family, resolved.nodes, max_attempts,
                    fmt::join(family.parameters, " or "));
}

}  // namespace driftless
