#pragma once

#include "driftless/experiment/setup.hpp"

namespace driftless {

// What a run will take, by a trial of a few rounds that leaves nothing behind.
struct RunEstimate {
  double seconds = 0;  // on all the threads, rows of metrics.csv included
  double bytes = 0;    // of the method's and the nodes' state, data not counted
};

// In one process, which hosts all nodes.
RunEstimate estimate_run(const PlannedRun& run, const Setup& setup);

}  // namespace driftless
