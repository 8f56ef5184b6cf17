#include "driftless/network/peers/site_graph.hpp"

#include <algorithm>

#include "driftless/base/error.hpp"

namespace driftless::peers {
namespace {

constexpr int unknown = -2;

void add_pairs(const WeightRows& rows, const Hosting& hosting,
               std::set<std::pair<int, int>>& pairs) {
  for (NodeId i = 0; i < rows.size(); ++i) {
    const int site = hosting.host_of(i);
    for (const NodeId j : rows.row(i).nodes) {
      const int other = hosting.host_of(j);
      if (site < other) pairs.emplace(site, other);
    }
  }
}

}  // namespace

SiteGraph::SiteGraph(const LinkSequence& links, const Hosting& hosting)
    : sites_(hosting.processes), parents_(static_cast<std::size_t>(sites_), unknown) {
  WeightRows rows;
  for (Round t = 0; t < links.period(); ++t) {
    links.links(t, rows);
    add_pairs(rows, hosting, pairs_);
  }
  for (int a = 0; a < sites_ && links.period() == 0; ++a) {  // drawn anew: any two may meet
    for (int b = a + 1; b < sites_; ++b) pairs_.emplace(a, b);
  }
  std::vector<int> reached{0};
  parents_[0] = -1;
  for (std::size_t k = 0; k < reached.size(); ++k) {
    for (const int next : neighbours(reached[k])) {
      if (parent(next) != unknown) continue;
      parents_[static_cast<std::size_t>(next)] = reached[k];
      reached.push_back(next);
    }
  }
  const auto lone = std::ranges::find(parents_, unknown);
  if (lone != parents_.end()) {
    throw ConfigError("no links lead from site {} to the first one", lone - parents_.begin());
  }
}

std::vector<int> SiteGraph::neighbours(int site) const {
  std::vector<int> found;
  for (int other = 0; other < sites_; ++other) {
    if (other != site && linked(site, other)) found.push_back(other);
  }
  return found;
}

std::vector<int> SiteGraph::children(int site) const {
  std::vector<int> found;
  for (int other = 0; other < sites_; ++other) {
    if (parent(other) == site) found.push_back(other);
  }
  return found;
}

std::vector<int> SiteGraph::below(int site) const {
  std::vector<int> found{site};
  for (std::size_t k = 0; k < found.size(); ++k) {
    const std::vector<int> more = children(found[k]);
    found.insert(found.end(), more.begin(), more.end());
  }
  return found;
}

}  // namespace driftless::peers
