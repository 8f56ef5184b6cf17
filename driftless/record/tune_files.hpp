#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "driftless/record/results.hpp"

namespace driftless {

// A row for each combination and candidate: values, score, outcome, and whether it was
// chosen.
std::string tune_csv(const ExperimentPlan& plan, const Results& results);

// The same, with what was asked for, as summary.json has it.
nlohmann::ordered_json tuned_entry(const ExperimentPlan& plan, const Results& results);

}  // namespace driftless
