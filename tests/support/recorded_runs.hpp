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

// A run of five rounds that holds its target, a loss of 1, from round `reached` on, and sends eight
// bytes in each.
inline RecordedRun run_to_target(const std::string& kind, const std::string& rate,
                                 const std::string& seed, int reached,
                                 const std::string& outcome = "finished") {
  std::vector<double> losses;
  for (int round = 0; round <= 5; ++round) losses.push_back(round < reached ? 2 : 0.5);
  RecordedRun run = recorded_run(
      {{"algorithm.kind", kind},
       {"algorithm.local_rate", rate},
       {"problem.kind", "cnn"},
       {"run.seed", seed},
       {"run.rounds", "5"},
       {"run.target", "1"}},
      {{"round", {0, 1, 2, 3, 4, 5}}, {"bytes_total", {0, 8, 16, 24, 32, 40}}, {"loss", losses}});
  run.summary = {{"outcome", outcome}};
  return run;
}

}  // namespace driftless::testing
