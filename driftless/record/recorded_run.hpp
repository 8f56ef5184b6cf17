#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace driftless {

// metrics.csv column by column, in the order of metric_columns(); NaN where there is no number.
struct MetricsTable {
  std::vector<std::vector<double>> columns;
  bool torn = false;  // the last line was not whole, and is left out

  std::size_t rows() const { return columns.front().size(); }
  const std::vector<double>& operator[](std::string_view name) const;
};

// Throws DataError that names the file and the line. A last line that is not whole is no fault: a
// run that goes on, or was killed, leaves one.
MetricsTable read_metrics_table(const std::filesystem::path& file);

// What a run has left in its folder so far.
struct RecordedRun {
  std::filesystem::path folder;
  std::filesystem::path experiment;             // the folder of its sweep, or its own
  std::map<std::string, std::string> settings;  // config.toml: "algorithm.kind" is "k-gt"
  MetricsTable metrics;
  nlohmann::json summary;  // null: the run has not ended

  std::string setting(const std::string& key) const;  // empty where the run has none
  std::string outcome() const;                        // "unfinished" without a summary
};

// The run in each folder, or all runs below it, in the order of their sweep; each once. Throws
// DataError where there is none, or where a file is not what it should be.
std::vector<RecordedRun> read_runs(const std::vector<std::filesystem::path>& folders);

}  // namespace driftless
