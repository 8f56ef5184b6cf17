#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "driftless/experiment/metrics.hpp"

namespace driftless {

std::string metrics_header();                  // the first line of metrics.csv
std::string metrics_line(const Metrics& row);  // both with their line breaks

// The rows of a metrics.csv up to the first line that is not whole, as a killed program may leave
// one. Throws DataError where the file cannot be read or has other columns.
std::vector<Metrics> read_metrics(const std::filesystem::path& file);

}  // namespace driftless
