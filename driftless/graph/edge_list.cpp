#include "driftless/graph/edge_list.hpp"

#include <algorithm>

#include "driftless/base/error.hpp"
#include "driftless/base/line_reader.hpp"

namespace driftless {

Graph read_edge_list(const std::filesystem::path& path, std::optional<NodeId> nodes) {
  LineReader reader(path, "#%");
  if (nodes && (*nodes < 1 || *nodes > max_nodes)) {
    throw DataError("{}: asked for {} nodes, expected 1 to {}", reader.name(), *nodes, max_nodes);
  }
  const NodeId highest = nodes.value_or(max_nodes) - 1;
  NodeId largest = 0;
  std::vector<Edge> edges;
  std::vector<std::string_view> fields;
  while (reader.next(fields)) {
    if (fields.size() != 2) {
      throw DataError("{}: found {} fields, expected two node ids", reader.place(), fields.size());
    }
    const Edge edge{static_cast<NodeId>(reader.integer(fields[0], 0, highest)),
                    static_cast<NodeId>(reader.integer(fields[1], 0, highest))};
    if (edge.a == edge.b) {
      throw DataError("{}: node {} is not its own neighbour; remove the line", reader.place(),
                      edge.a);
    }
    if (std::ssize(edges) == max_edges) {
      throw DataError("{}: more than {} edges", reader.place(), max_edges);
    }
    largest = std::max({largest, edge.a, edge.b});
    edges.push_back(edge);
  }

  if (edges.empty() && nodes != 1) throw DataError("{}: holds no edge", reader.name());
  const NodeId count = nodes.value_or(largest + 1);
  // Checked before the graph takes memory for nodes that so few edges cannot connect.
  if (count - 1 > std::ssize(edges)) {
    throw DataError("{}: {} edges cannot connect {} nodes", reader.name(), edges.size(), count);
  }
  Graph graph(count, edges);
  if (const auto node = graph.unreachable_node()) {
    throw DataError("{}: the graph is not connected: no path leads from node 0 to node {}",
                    reader.name(), *node);
  }
  return graph;
}

}  // namespace driftless
