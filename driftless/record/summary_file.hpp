#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "driftless/config/plan.hpp"
#include "driftless/experiment/run.hpp"

namespace driftless {

// The summary.json of a run that has ended; `last` is its last row.
nlohmann::ordered_json run_summary(const PlannedRun& run, const RunEnd& end, const Metrics& last,
                                   int threads);

// The summary.json of a run or a sweep; null where there is none: it has not ended. Throws
// DataError where the file is not what a run writes.
nlohmann::json read_summary(const std::filesystem::path& folder);

}  // namespace driftless
