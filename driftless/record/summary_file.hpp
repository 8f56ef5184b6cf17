#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "driftless/config/plan.hpp"
#include "driftless/experiment/run.hpp"
#include "driftless/record/digest.hpp"

namespace driftless {

// What is not there is null. So is a number that is not finite, once it is written.
template <class T>
nlohmann::ordered_json or_null(const std::optional<T>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

// What the runs came to: the mean and its interval, which goes by the name `interval`, where all
// have the number; the range and the count of those that have. Null where none has.
nlohmann::ordered_json numbers_json(std::span<const RunDigest> runs, DigestNumber number,
                                    const char* interval);

// The summary.json of a run that has ended; `last` is its last row, `outputs` what it wrote before.
nlohmann::ordered_json run_summary(const PlannedRun& run, const RunEnd& end, const Metrics& last,
                                   int threads, const FileSums& outputs);

// The summary.json of a run or a sweep; null where there is none: it has not ended. Throws
// DataError where the file is not what a run writes.
nlohmann::json read_summary(const std::filesystem::path& folder);
// The same of a text; `file` is where it is from.
nlohmann::json parse_summary(std::string_view text, const std::filesystem::path& file);

}  // namespace driftless
