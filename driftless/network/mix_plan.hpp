#pragma once

#include <vector>

#include "driftless/graph/mixing_matrix.hpp"

namespace driftless {

// How to apply W in place with little memory. Rows are computed one after the other, each into a
// slot; a row moves from its slot to its place as soon as no later row reads its old value any
// more. A ring needs three slots, a torus about two of its rows, a complete graph n: never more
// than a second copy. Rows that no links connect go group by group, so pairs need two slots.
struct MixPlan {
  explicit MixPlan(const WeightRows& links);

  Index slots = 0;                 // the most rows that wait at a time
  Index most_sources = 0;          // that a row is made of
  std::vector<NodeId> order;       // in which rows are computed: ascending within a group
  std::vector<Index> slot;         // of each row
  std::vector<NodeId> settled;     // rows in the order in which they can move to their place
  std::vector<Index> settled_end;  // after order[k] is computed, settled[… settled_end[k]) can move
};

}  // namespace driftless
