#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "driftless/cli/runner.hpp"
#include "driftless/record/figures.hpp"

namespace driftless {

// Does the tuning runs of the plan, of which so much was found, and gives its final runs the chosen
// values. All ranks choose alike; the first one alone knows the scores.
std::vector<TunedCombination> tune(ExperimentPlan& plan, std::vector<FoundRun> found,
                                   Runner& runner, const Runtime& ranks);

// Tells on stderr for which combinations there was nothing to choose; false when there are none.
bool tell_untuned(const ExperimentPlan& plan, const std::vector<TunedCombination>& tuned);

// What to know of the closing table's tuned values, in lines.
std::string tuning_note(const ExperimentPlan& plan, const std::vector<TunedCombination>& tuned);

}  // namespace driftless
