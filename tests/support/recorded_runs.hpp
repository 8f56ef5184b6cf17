#pragma once

#include <fmt/format.h>

#include <cmath>
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
  run.metrics.rows.resize(columns.begin()->second.size());
  run.metrics.has.resize(metric_columns().size());
  for (const auto& [name, values] : columns) {
    for (std::size_t k = 0; k < values.size(); ++k) {
      const std::string text = std::isnan(values[k]) ? "" : fmt::format("{}", values[k]);
      find_metric(name)->read(text, run.metrics.rows[k]);
    }
    run.metrics.has[metric_index(name)] = true;
  }
  return run;
}

}  // namespace driftless::testing
