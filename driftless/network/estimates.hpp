#pragma once

#include <map>
#include <vector>

#include "driftless/network/rows.hpp"

namespace driftless {

// What both ends of a link believe that a node says, where letters are compressed: a letter carries
// what is missing to it, as far as the codec can say it. Both ends add the same bytes by the same
// arithmetic, so they always believe the same.
template <class Real>
struct Estimates {
  // One for each row that a letter carries. That of the first, the models, begins at the models
  // where all nodes start from one; all others begin at zero.
  std::vector<Rows<Real>> own = {};
  std::map<NodeId, std::vector<Vector<Real>>> others =
      {};                   // of nodes elsewhere with a link to here
  Vector<Real> start = {};  // of the first row; empty: zero

  // What is believed of a row of this size before the first letter.
  Vector<Real> before(std::size_t row, Index dim) const {
    return row == 0 && start.size() == dim ? start : Vector<Real>(Vector<Real>::Zero(dim));
  }
};

}  // namespace driftless
