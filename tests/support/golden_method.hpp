#pragma once

#include <memory>

#include "driftless/algorithm/registry.hpp"
#include "tests/support/golden.hpp"

namespace driftless::testing {

// A method of the golden file: our name for it, and whether the case mixes with (I + W)/2 by
// option.
struct GoldenMethod {
  std::string_view kind;
  bool lazy = false;
};

// Null for the misprinted line of the paper, which no method of ours follows.
const GoldenMethod* find_golden_method(const GoldenCase& golden_case);

AlgorithmOptions golden_options(const GoldenCase& golden_case);

std::unique_ptr<Algorithm<double>> make_golden_algorithm(const GoldenCase& golden_case,
                                                         const Problem<double>& problem,
                                                         Network& network);

}  // namespace driftless::testing
