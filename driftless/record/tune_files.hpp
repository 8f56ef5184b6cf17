#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "driftless/experiment/tune.hpp"

namespace driftless {

// A row for each combination and point of the grid: values, score, outcome, and whether it was
// chosen.
std::string tune_csv(const ExperimentPlan& plan, std::span<const TunedCombination> tuned);

// The same, with what was asked for, as summary.json has it.
nlohmann::ordered_json tuned_entry(const ExperimentPlan& plan,
                                   std::span<const TunedCombination> tuned);

}  // namespace driftless
