#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/graph/graph.hpp"

namespace driftless {

// Which graph to build. A parameter left out takes the default of the family; one that the family
// does not take is an error.
struct TopologyOptions {
  std::string family = "ring";
  NodeId nodes = 0;
  std::optional<int> rows = {};                 // torus; default: the pair nearest to a square
  std::optional<int> columns = {};              // torus; rows × columns = nodes
  std::optional<double> edge_probability = {};  // erdos_renyi; default 2 ln n / n, at most 1: twice
                                                // what connects almost surely
  std::optional<int> degree = {};               // random_regular; default 4, less for n < 5
  std::optional<double> radius = {};  // random_geometric; default √(3 ln n / πn): three times the
                                      // area that connects almost surely
  std::uint64_t seed = 1;  // of the random families
};

struct GraphFamily {
  std::string_view name;
  std::string_view description;
  // Takes resolved options; `attempt` counts the redraws of a random family.
  std::vector<Edge> (*edges)(const TopologyOptions&, int attempt);
  // Fills in the defaults and throws ConfigError if a size or parameter is impossible.
  void (*resolve)(TopologyOptions&) = [](TopologyOptions&) {};
  std::vector<std::string_view> parameters = {};  // names of the fields of TopologyOptions it takes
  bool random = false;                            // takes `seed` and redraws until connected
};

std::span<const GraphFamily> graph_families();

// The options with every default written out; throws ConfigError for what cannot be built.
TopologyOptions resolve_topology(TopologyOptions options);

// A connected graph, the same for the same options on every machine. A random family is redrawn
// until it is connected, at most 100 times; then ConfigError says what to raise.
Graph make_graph(const TopologyOptions& options);

}  // namespace driftless
