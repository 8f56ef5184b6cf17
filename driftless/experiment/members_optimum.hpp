#pragma once

#include <optional>
#include <vector>

#include "driftless/network/network.hpp"
#include "driftless/problem/problem.hpp"

namespace driftless {

// The minimum that the members of a network can reach: that of the problem while all nodes are
// members; where some are lost, that of the others' mean, sought when it is first asked for.
template <class Real>
class MembersOptimum {
 public:
  MembersOptimum(const Problem<Real>& problem, const Network& network)
      : problem_(problem), network_(network) {}

  // Null where the problem's own optimum is not known. Collective.
  const Optimum* now();

 private:
  const Problem<Real>& problem_;
  const Network& network_;
  std::vector<bool> members_ = {};  // of whom `found_` is the optimum
  Optimum found_ = {};
};

}  // namespace driftless
