#pragma once

#include "driftless/base/types.hpp"

namespace driftless {

// What the local rate is multiplied with in each round: 1 at its height, and never 0, since methods
// divide by their rate.
struct Schedule {
  enum class Kind { constant, step, cosine, inverse_sqrt };

  Kind kind = Kind::constant;
  Round warmup_rounds = 0;  // a linear ramp (t + 1)/(warmup_rounds + 1) before anything else
  Round every = 1;          // step: rounds between two drops
  double factor = 0.1;      // step: what a drop multiplies with
  double floor = 0.0;       // cosine: the fraction of the rate that it falls to by the last round
  double scale = 1.0;       // inverse_sqrt: 1/√(1 + t/scale)
  Round rounds = 0;         // cosine: the length of the run

  double operator()(Round t) const;
};

}  // namespace driftless
