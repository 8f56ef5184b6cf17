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

// A plan is a tree: experiment → combination → tuning candidates and runs.

struct PlannedRun {
  // Of this run alone: `seed` is the repetition's own and `repetitions` is 1, so that running the
  // written config again gives this run again.
  ExperimentConfig config;
  std::string combination;       // the name of the combination that it belongs to
  int repetition = 1;            // from 1; runs with run.seed + repetition - 1
  std::filesystem::path folder;  // "", "rep-2", "kind=k-gt" or "kind=k-gt/rep-2", seen from --out
};

// A point of the tuning grid, tried on one combination.
struct Candidate {
  std::vector<std::string> values;  // of the tuned keys
  std::filesystem::path folder;     // of its runs, seen from --out
  std::vector<PlannedRun> runs;     // its repetitions
};

// A point of the sweep.
struct Combination {
  std::string name;  // the varied keys as a file name; empty when nothing varies
  // The plan's varied keys with their values here; a value is empty where a run has no such key.
  std::vector<std::pair<std::string, std::string>> varied;
  std::vector<Candidate> candidates;  // in the order of the grid; none where nothing is tuned
  // Its repetitions. Where keys are tuned, they have the first candidate's values until one is
  // chosen.
  std::vector<PlannedRun> runs;

  void choose(std::size_t candidate);
};

// What [tune] asks for.
struct Tuning {
  TuneConfig config;              // defaults filled in, but for `rounds`
  std::vector<std::string> keys;  // that are tuned
};

// The keys whose value at that candidate is the least or the greatest of several numbers: a wider
// grid might do better.
std::vector<std::string> keys_at_edge(const Tuning& tuning, const Combination& combination,
                                      std::size_t candidate);

struct ExperimentPlan {
  std::string source_name;
  std::optional<Tuning> tuning;
  std::vector<Combination> combinations;
  std::vector<std::string> varied_keys;  // swept keys that differ between the combinations
  int repetitions = 1;
  std::optional<double> target;  // run.target

  // In the order of the plan. Pointers stay good as long as the plan is not changed.
  std::vector<const PlannedRun*> runs() const;
  std::vector<const PlannedRun*> tuning_runs() const;
  std::vector<const PlannedRun*> all_runs() const;
  bool is_sweep() const { return runs().size() > 1 || tuning; }  // each run has its own folder
};

// [sweep] gives keys lists of values, and every combination becomes a run; [[sweep]] tables give
// several such grids, one after the other, without a combination that was there before. Where a key
// is swept, its value in its own section counts only for grids without it.
//
// `overrides` are the arguments of --set, "key=value"; an overridden key is not swept. Throws one
// ConfigError with all faults.
ExperimentPlan load_experiment(const std::filesystem::path& file,
                               std::span<const std::string> overrides = {});

inline constexpr int most_runs_of_a_plan = 100'000;  // more than anyone means to start

// The same from a text; `folder` is where its relative paths start.
ExperimentPlan plan_experiment(std::string_view toml_text, std::string source_name,
                               const std::filesystem::path& folder,
                               std::span<const std::string> overrides = {},
                               int most_runs = most_runs_of_a_plan);

}  // namespace driftless
