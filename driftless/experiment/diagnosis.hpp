#pragma once

#include <string>

#include "driftless/experiment/metrics.hpp"

namespace driftless {

// What to tell of a run that diverged: the round, the quantity and the node, and the likeliest
// cause: a rate beyond what the curvature allows or too small for its arithmetic, the drift of
// local steps on different data, noise, or the network. What the problem does not know of itself is
// estimated where the run started. Collective.
template <class Real>
std::string diagnose(const Algorithm<Real>& algorithm, const Problem<Real>& problem,
                     const Network& network, const Metrics& row, double bound);

}  // namespace driftless
