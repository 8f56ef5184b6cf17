#pragma once

#include <string>

#include "driftless/base/types.hpp"

namespace driftless {

// Where a run stands between two rounds. With the algorithm's state it is all that the rest of the
// run depends on.
struct RunPosition {
  Round round = 0;  // rounds done
  std::int64_t gradients = 0;
  double seconds = 0;          // spent in them
  double first_loss = 0;       // at the start, which divergence is measured by
  std::string diagnosis = {};  // of a divergence that was not to end the run
  Bytes edge = 0;              // sent so far, as Traffic counts
  Bytes uplink = 0;
};

}  // namespace driftless
