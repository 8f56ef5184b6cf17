#pragma once

#include <string>

#include "driftless/record/digest.hpp"

namespace driftless {

// The table at the end of a run or a sweep: a line for each combination, over its repetitions.
std::string closing_table(const ExperimentPlan& plan, const Results& results);

}  // namespace driftless
