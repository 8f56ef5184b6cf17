#pragma once

#include <string>
#include <vector>

#include "driftless/base/folder.hpp"
#include "driftless/record/digest.hpp"

namespace driftless {

// What a sweep leaves beside the folders of its runs, once they have ended: metrics.csv, the rows
// of all runs in long form with a column for each varied key, and summary.json, the runs in a few
// numbers. Where keys were tuned, tune.csv has a row for each combination and point of the grid,
// and summary.json has them under "tuned".
void write_sweep(const Folder& folder, const ExperimentPlan& plan, const Results& results,
                 const std::vector<std::string>& overrides);

}  // namespace driftless
