#pragma once

#include <map>
#include <string>
#include <vector>

#include "driftless/experiment/metrics.hpp"
#include "driftless/record/recorded_run.hpp"

namespace driftless::testing {

// A run as if read from a folder: its settings, and the columns that it has.
inline RecordedRun recorded_run(const std::map<std::string, std::string>& settings,
                                const std::map<std::string, std::vector<double>>& columns) {
  RecordedRun run;
  run.settings = settings;
  run.folder = run.experiment = "runs/" + settings.at("algorithm.kind");
  const std::size_t rows = columns.begin()->second.size();
  for (const MetricColumn& column : metric_columns()) {
    const auto found = columns.find(std::string(column.name));
    run.metrics.columns.push_back(found == columns.end() ? std::vector<double>(rows, NAN)
                                                         : found->second);
  }
  return run;
}

}  // namespace driftless::testing
