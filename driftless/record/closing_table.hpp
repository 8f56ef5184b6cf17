#pragma once

#include <string>

#include "driftless/base/layout.hpp"
#include "driftless/record/digest.hpp"

namespace driftless {

// The table at the end of a run or a sweep: a line for each combination, over its repetitions; in
// blocks of columns where it is wider than `width`.
std::string closing_table(const ExperimentPlan& plan, const Results& results,
                          std::size_t width = any_width);

}  // namespace driftless
