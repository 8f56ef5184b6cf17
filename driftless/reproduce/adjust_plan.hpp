#pragma once

#include <map>
#include <string>
#include <vector>

#include "driftless/config/plan.hpp"
#include "driftless/reproduce/verdict.hpp"

namespace driftless {

// The settings whose runs would decide claims with that many seeds, by their experiments.
using SettingsByExperiment = std::map<std::string, std::vector<Where>>;
SettingsByExperiment to_decide_with(std::size_t seeds, const std::vector<Claim>& claims);

// Leaves the combinations of the plan that have none of these settings with so many runs each.
void limit_others(ExperimentPlan& plan, const std::vector<Where>& settings, std::size_t runs);

// Takes the combinations with these settings out of the plan.
void leave_out(ExperimentPlan& plan, const Where& settings);

}  // namespace driftless
