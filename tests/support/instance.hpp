#pragma once

#include <rapidcheck.h>

#include <iosfwd>
#include <memory>
#include <string>

#include "driftless/algorithm/algorithm.hpp"
#include "driftless/graph/weights.hpp"
#include "driftless/problem/least_squares.hpp"

namespace driftless::testing {

// A small random experiment: noisy least squares over a connected graph. RapidCheck draws sizes and
// rates; matrices and vectors follow from `seed`, so an instance prints in one line and shrinks.
//
// All numbers are of order one and the curvature L lies between 0.4 and 20: errors of a few hundred
// roundings stay below 1e-12 of the models, and K steps of `reach / (K L)` stay away from
// divergence.
struct Instance {
  std::string family = "ring";
  Weights weights = Weights::metropolis;
  NodeId nodes = 1;
  Index dim = 1;
  Index rows = 1;  // of each A_i
  Step local_steps = 1;
  double reach = 0.2;  // K·η_c·L
  double communication_rate = 1;
  double noise = 0;
  bool distinct_starts = false;
  bool gradient_start = false;  // initial_correction = "gradient"
  std::uint64_t seed = 1;

  MixingMatrix mixing() const;
  LeastSquaresData data() const;
  std::unique_ptr<Problem<double>> problem() const;
  AlgorithmOptions options() const;
};

std::ostream& operator<<(std::ostream& stream, const Instance& instance);

rc::Gen<Instance> any_instance();
// From one point, where a method has only one model.
rc::Gen<Instance> any_instance_with_common_start();

}  // namespace driftless::testing

template <>
struct rc::Arbitrary<driftless::testing::Instance> {
  static Gen<driftless::testing::Instance> arbitrary() {
    return driftless::testing::any_instance();
  }
};
