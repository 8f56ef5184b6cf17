#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "driftless/base/statistics.hpp"
#include "driftless/config/plan.hpp"
#include "driftless/experiment/run.hpp"

namespace driftless {

// What is not there is null. So is a number that is not finite, once it is written.
template <class T>
nlohmann::ordered_json or_null(const std::optional<T>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

// Half the interval goes by the name `interval`.
nlohmann::ordered_json estimate_json(const std::optional<Estimate>& figure, const char* interval);

// The summary.json of a run that has ended; `last` is its last row, `outputs` what it wrote before.
nlohmann::ordered_json run_summary(const PlannedRun& run, const RunEnd& end, const Metrics& last,
                                   int threads, const FileSums& outputs);

// The summary.json of a run or a sweep; null where there is none: it has not ended. Throws
// DataError where the file is not what a run writes.
nlohmann::json read_summary(const std::filesystem::path& folder);

}  // namespace driftless
