#pragma once

#include <set>
#include <utility>
#include <vector>

#include "driftless/base/hosting.hpp"
#include "driftless/graph/link_sequence.hpp"

namespace driftless::peers {

// Which sites have nodes with a link in some round, and a tree over them. Every site finds the same
// from what all share.
class SiteGraph {
 public:
  SiteGraph(const LinkSequence& links, const Hosting& hosting);

  bool linked(int a, int b) const { return pairs_.contains({std::min(a, b), std::max(a, b)}); }
  std::vector<int> neighbours(int site) const;  // ascending

  // Of the tree, whose root is site 0: as few steps from the root as can be. −1: it has none.
  int parent(int site) const { return parents_[static_cast<std::size_t>(site)]; }
  std::vector<int> children(int site) const;
  std::vector<int> below(int site) const;  // itself and all that are below it, in a fixed order

 private:
  int sites_;
  std::set<std::pair<int, int>> pairs_;
  std::vector<int> parents_;
};

}  // namespace driftless::peers
