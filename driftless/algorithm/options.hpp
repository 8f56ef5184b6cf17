#pragma once

#include "driftless/algorithm/schedule.hpp"
#include "driftless/base/option.hpp"
#include "driftless/base/types.hpp"

namespace driftless {

// What every method is given; what one method alone takes is in `own` and described beside it.
struct AlgorithmOptions {
  Step local_steps = 1;             // K: gradients a node takes between two messages
  double local_rate = 0.1;          // η_c: the length of a local step, before the schedule
  double communication_rate = 1.0;  // η_s: how far a node follows its K steps
  Settings own = {};                // the options that this method has beyond these, by their names
  Schedule schedule = {};           // of the local rate, over rounds
  std::uint64_t seed = 1;           // names the samples

  static void describe(OptionsOf<AlgorithmOptions>& options) {
    using A = AlgorithmOptions;
    options.add("local_steps", &A::local_steps, "K, gradients between two communications")
        .at_least(1)
        .at_most((1 << 24) - 1);  // a draw counts steps in 24 bits
    options.add("local_rate", &A::local_rate, "eta_c, the rate of a local step")
        .above(0)
        .must_be_given();
    options.add("communication_rate", &A::communication_rate, "eta_s, the rate of the round's step")
        .at_least(0);
  }
};

}  // namespace driftless
