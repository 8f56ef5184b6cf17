#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "driftless/graph/graph.hpp"

namespace driftless {

// What a file of links by round says.
struct ListedLink {
  NodeId a = 0;  // the lower id
  NodeId b = 0;
  double weight = 0;
};

// Where the links of a round begin.
struct ListedRound {
  Round number = 0;
  std::size_t first = 0;
};

// Rounds without links are not listed, so that a list costs no more memory than its file is long.
struct LinkList {
  NodeId nodes = 1;
  Round period = 1;
  bool weighted = false;              // else all weights are zero
  std::vector<ListedRound> rounds{};  // ascending
  std::vector<ListedLink> links{};    // by round, then by a, then by b

  // One past the last link of the round, which is the one at this place of the list.
  std::size_t end(std::size_t round) const {
    return round + 1 < rounds.size() ? rounds[round + 1].first : links.size();
  }
};

// The format is that of read_link_sequence.
LinkList read_link_list(const std::filesystem::path& path, std::optional<NodeId> nodes);

}  // namespace driftless
