#pragma once

#include <memory>

#include "driftless/algorithm/registry.hpp"
#include "tests/support/golden.hpp"

namespace driftless::testing {

AlgorithmOptions golden_options(const GoldenCase& golden_case);

std::unique_ptr<Algorithm<double>> make_golden_algorithm(const GoldenCase& golden_case,
                                                         const Problem<double>& problem,
                                                         Network& network);

}  // namespace driftless::testing
