#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "driftless/experiment/execute.hpp"
#include "driftless/report/figures.hpp"

namespace driftless {

// Records one run of a plan and gathers its figures; null skips it, on all ranks alike.
using RecordRun = std::function<std::unique_ptr<RunRecorder>(const PlannedRun&, RunFigures&)>;

// Does the tuning runs of the plan and gives its final runs the chosen values. All ranks choose
// alike; the first one alone knows the scores.
std::vector<TunedCombination> tune(ExperimentPlan& plan, const Setup& setup, int threads,
                                   const RecordRun& record, const Ranks& ranks);

// Tells on stderr for which combinations there was nothing to choose; false when there are none.
bool tell_untuned(const ExperimentPlan& plan, const std::vector<TunedCombination>& tuned);

// What to know of the closing table's tuned values, in lines.
std::string tuning_note(const ExperimentPlan& plan, const std::vector<TunedCombination>& tuned);

}  // namespace driftless
