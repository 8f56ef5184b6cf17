#include "tests/support/golden_algorithm.hpp"

namespace driftless::testing {

AlgorithmOptions golden_options(const GoldenCase& c) {
  return {.local_steps = c.local_steps,
          .local_rate = c.local_rate,
          .communication_rate = c.communication_rate,
          .initial_correction =
              c.gradient_start ? InitialCorrection::gradient : InitialCorrection::zero,
          .global_every = c.global_every,
          .lazy = c.lazy,
          .schedule = {},
          .seed = 1};
}

std::unique_ptr<Algorithm<double>> make_golden_algorithm(const GoldenCase& golden_case,
                                                         const Problem<double>& problem,
                                                         Network& network) {
  return make_algorithm(golden_case.kind, problem, network, golden_options(golden_case));
}

}  // namespace driftless::testing
