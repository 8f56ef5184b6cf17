#include "driftless/graph/edge_list.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "driftless/base/line_reader.hpp"

namespace driftless {

Graph read_edge_list(const std::filesystem::path& path, std::optional<NodeId> nodes) {
  LineReader reader(path);
  if (nodes && (*nodes < 1 || *nodes > max_nodes)) {
    reader.fail_file(fmt::format("asked for {} nodes, expected 1 to {}", *nodes, max_nodes));
  }
  const NodeId highest = nodes.value_or(max_nodes) - 1;
  NodeId largest = 0;
  std::vector<Edge> edges;
  std::vector<std::string_view> fields;
  while (reader.next(fields)) {
    const auto comment = std::find_if(fields.begin(), fields.end(), [](std::string_view field) {
      return field.starts_with('#') || field.starts_with('%');
    });
    fields.erase(comment, fields.end());
    if (fields.empty()) continue;
    if (fields.size() != 2) {
      reader.fail(fmt::format("found {} fields, expected two node ids", fields.size()));
    }
    const Edge edge{static_cast<NodeId>(reader.integer(fields[0], 0, highest)),
                    static_cast<NodeId>(reader.integer(fields[1], 0, highest))};
    if (edge.a == edge.b) {
      reader.fail(fmt::format("node {} is not its own neighbour; remove the line", edge.a));
    }
    if (std::ssize(edges) == max_edges) {
      reader.fail(fmt::format("more than {} edges", max_edges));
    }
    largest = std::max({largest, edge.a, edge.b});
    edges.push_back(edge);
  }

  if (edges.empty() && nodes != 1) reader.fail_file("holds no edge");
  const NodeId count = nodes.value_or(largest + 1);
  // Checked before the graph takes memory for nodes that so few edges cannot connect.
  if (count - 1 > std::ssize(edges)) {
    reader.fail_file(fmt::format("{} edges cannot connect {} nodes", edges.size(), count));
  }
  Graph graph(count, edges);
  if (const auto node = graph.unreachable_node()) {
    reader.fail_file(
        fmt::format("the graph is not connected: no path leads from node 0 to node {}", *node));
  }
  return graph;
}

}  // namespace driftless
