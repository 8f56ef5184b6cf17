#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driftless/config/config.hpp"

namespace driftless {

struct PlannedRun {
  // Of this run alone: `seed` is the repetition's own and `repetitions` is 1, so that running the
  // written config again gives this run again.
  ExperimentConfig config;
  // The plan's varied keys with their values here; a value is empty where the run has no such key.
  std::vector<std::pair<std::string, std::string>> varied;
  std::string combination;       // the varied keys as a file name; empty when nothing varies
  int repetition = 1;            // from 1; runs with run.seed + repetition - 1
  std::filesystem::path folder;  // "", "rep-2", "kind=k-gt" or "kind=k-gt/rep-2", seen from --out
};

// The runs that [tune] asks for: combination by combination, for each of them the points of one
// grid, for each of these its repetitions.
struct TunePlan {
  TuneConfig config;                           // defaults filled in, but for `rounds`
  std::vector<std::string> keys;               // that are tuned
  std::vector<std::vector<std::string>> grid;  // their values at each point
  std::vector<PlannedRun> runs;
};

// All the runs of a config file, in order: combination by combination, each with its repetitions.
// Where keys are tuned, the runs have them from the first point of the grid until a choice is made.
struct ExperimentPlan {
  std::string source_name;
  std::optional<TunePlan> tuning;
  std::vector<PlannedRun> runs;
  std::vector<std::string> varied_keys;  // swept keys that differ between the runs
  int repetitions = 1;
  std::optional<double> target;  // run.target

  bool is_sweep() const { return runs.size() > 1 || tuning; }  // each run has its own folder
  std::vector<ExperimentConfig> all_configs() const;           // of tuning runs too
};

// [sweep] gives keys lists of values, and every combination becomes a run; [[sweep]] tables give
// several such grids, one after the other, without a combination that was there before. Where a key
// is swept, its value in its own section counts only for grids without it.
//
// `overrides` are the arguments of --set, "key=value"; an overridden key is not swept. Throws one
// ConfigError with all faults.
ExperimentPlan load_experiment(const std::filesystem::path& file,
                               std::span<const std::string> overrides = {});

// The same from a text; `folder` is where its relative paths start.
ExperimentPlan plan_experiment(std::string_view toml_text, std::string source_name,
                               const std::filesystem::path& folder,
                               std::span<const std::string> overrides = {});

}  // namespace driftless
