#include "tests/support/golden_algorithm.hpp"

#include "tests/support/fitting.hpp"

namespace driftless::testing {

AlgorithmOptions golden_options(const GoldenCase& c) {
  return {.local_steps = c.local_steps,
          .local_rate = c.local_rate,
          .communication_rate = c.communication_rate,
          .own = {{"initial_correction", c.gradient_start ? "gradient" : "zero"},
                  {"global_every", std::int64_t{c.global_every}},
                  {"lazy", c.lazy}},
          .schedule = {},
          .seed = 1};
}

std::unique_ptr<Algorithm<double>> make_golden_algorithm(const GoldenCase& golden_case,
                                                         const Problem<double>& problem,
                                                         Network& network) {
  return make_fitting(golden_case.kind, problem, network, golden_options(golden_case));
}

}  // namespace driftless::testing
