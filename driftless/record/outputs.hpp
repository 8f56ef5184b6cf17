#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "driftless/base/file_sum.hpp"

namespace driftless {

// The files that a run's summary names as its "inputs" or "outputs"; empty where it names none, as
// in those of earlier versions. Throws DataError where that is not a list of files with sums.
FileSums recorded_sums(const nlohmann::json& summary, const char* which);

// Throws DataError where one of the run's outputs is not there any more or is not as the run wrote
// it. Models may be large: of those a glance sees the size alone.
enum class Look { glance, all };
void check_outputs(const std::filesystem::path& folder, const nlohmann::json& summary, Look look);

}  // namespace driftless
