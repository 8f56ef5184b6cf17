#pragma once

#include <filesystem>
#include <optional>

#include "driftless/graph/graph.hpp"

namespace driftless {

// Reads one edge a line, "i j" with ids from 0; blank lines and what follows '#' or '%' do not
// count. Without `nodes` there are as many nodes as the largest id says. Throws DataError with the
// file and the line, also when the graph is not connected.
Graph read_edge_list(const std::filesystem::path& path, std::optional<NodeId> nodes = {});

}  // namespace driftless
