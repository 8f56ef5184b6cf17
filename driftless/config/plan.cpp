#include "driftless/config/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "driftless/base/error.hpp"
#include "driftless/base/regular_file.hpp"
#include "driftless/base/text.hpp"
#include "driftless/config/config_file.hpp"
#include "driftless/config/cross_check.hpp"
#include "driftless/config/folder_names.hpp"
#include "driftless/config/key.hpp"
#include "driftless/config/parse_toml.hpp"
#include "driftless/config/tune_plan.hpp"

namespace driftless {
namespace {

// One point of the sweep: its config, and the values there of all swept keys of the file.
struct SweepPoint {
  std::vector<ExperimentConfig> candidates;  // one for each point of the tuning grid; else one
  std::vector<std::string> values;

  const ExperimentConfig& config() const { return candidates.front(); }
};

Given given_outside_sweeps(const ConfigFile& file) {
  Given given;
  for (const Setting& setting : file.settings) given[setting.key] = &setting;
  return given;
}

std::vector<const Key*> swept_keys(const ConfigFile& file) {
  std::vector<const Key*> keys;
  for (const SweepGrid& grid : file.grids)
    for (const SweepAxis& axis : grid)
      if (std::ranges::find(keys, axis.key) == keys.end()) keys.push_back(axis.key);
  return keys;
}

double number_of_combinations(const ConfigFile& file) {
  double sum = 0.0;
  for (const SweepGrid& grid : file.grids) sum += number_of_points(grid);
  return sum;
}

std::string describe(const GridPoint& combination) {
  std::vector<std::string> parts;
  for (const Setting* setting : combination)
    if (setting->value)
      parts.push_back(fmt::format("{} = {}", setting->key->name, toml_literal(*setting->value)));
  return fmt::format("{}", fmt::join(parts, ", "));
}

// As it goes into tables and names of folders; empty where the run has no such key. Different
// values have different texts: in a list, quotes tell the two texts a and b from the text "a b".
std::string value_text(const Key& key, const ExperimentConfig& config,
                       const std::filesystem::path& folder) {
  const std::optional<Value> value = key.value_in(config);
  if (!value || !why_inapplicable(key, config).empty()) return "";
  return plain_text(with_each_text(*value, [&](std::string text) {
    if (key.names_files()) text = std::filesystem::path(text).lexically_proximate(folder).string();
    const bool unclear = key.is_list() && text.find_first_of(" \"") != std::string::npos;
    return unclear ? toml_literal(text) : text;
  }));
}

// All points of the sweep, in order; a point that repeats an earlier one is left out.
std::vector<SweepPoint> sweep_points(ConfigFile& file, const std::vector<const Key*>& swept) {
  const Given base = given_outside_sweeps(file);
  std::vector<SweepPoint> points;
  std::set<std::vector<std::string>> seen;
  for (const SweepGrid& grid : file.grids) {
    for (const GridPoint& combination : points_of(grid)) {
      SweepPoint point;
      for (const GridPoint& tuned : points_of(file.tune)) {
        GridPoint both = combination;
        both.insert(both.end(), tuned.begin(), tuned.end());
        Given given = base;
        for (const Setting* setting : both) given[setting->key] = setting;
        point.candidates.push_back(resolve_checked(given, describe(both), file));
      }
      for (const Key* key : swept)
        point.values.push_back(value_text(*key, point.config(), file.folder));
      if (seen.insert(point.values).second) points.push_back(std::move(point));
    }
  }
  return points;
}

// Indices into `swept` of the keys that have more than one value.
std::vector<std::size_t> varied_columns(const std::vector<SweepPoint>& points,
                                        std::size_t swept_count) {
  std::vector<std::size_t> columns;
  for (std::size_t column = 0; column < swept_count; ++column) {
    const auto differs = [&](const SweepPoint& point) {
      return point.values[column] != points.front().values[column];
    };
    if (std::ranges::any_of(points, differs)) columns.push_back(column);
  }
  return columns;
}

}  // namespace

void Combination::choose(std::size_t candidate) {
  const ExperimentConfig& best = candidates[candidate].runs.front().config;
  for (PlannedRun& run : runs) {
    run.config.algorithm = best.algorithm;
    run.config.schedule = best.schedule;
  }
}

std::vector<std::string> keys_at_edge(const Tuning& tuning, const Combination& combination,
                                      std::size_t candidate) {
  std::vector<std::string> keys;
  for (std::size_t k = 0; k < tuning.keys.size(); ++k) {
    const std::optional<double> own = parse_number(combination.candidates[candidate].values[k]);
    if (!own) continue;  // a word
    bool smaller = false;
    bool greater = false;
    for (const Candidate& other : combination.candidates) {
      const double value = parse_number(other.values[k]).value_or(*own);
      smaller = smaller || value < *own;
      greater = greater || value > *own;
    }
    if (smaller != greater) keys.push_back(tuning.keys[k]);
  }
  return keys;
}

std::vector<const PlannedRun*> ExperimentPlan::runs() const {
  std::vector<const PlannedRun*> all;
  for (const Combination& combination : combinations)
    for (const PlannedRun& run : combination.runs) all.push_back(&run);
  return all;
}

std::vector<const PlannedRun*> ExperimentPlan::tuning_runs() const {
  std::vector<const PlannedRun*> all;
  for (const Combination& combination : combinations)
    for (const Candidate& candidate : combination.candidates)
      for (const PlannedRun& run : candidate.runs) all.push_back(&run);
  return all;
}

std::vector<const PlannedRun*> ExperimentPlan::all_runs() const {
  std::vector<const PlannedRun*> all = runs();
  const std::vector<const PlannedRun*> tried = tuning_runs();
  all.insert(all.end(), tried.begin(), tried.end());
  return all;
}

ExperimentPlan load_experiment(const std::filesystem::path& file,
                               std::span<const std::string> overrides) {
  const std::filesystem::path folder = std::filesystem::absolute(file).parent_path();
  return plan_experiment(read_file(file, longest_config), file.string(), folder, overrides);
}

namespace {

void check_number_of_runs(const ConfigFile& file, const ExperimentPlan& plan, int most_runs,
                          Faults& faults) {
  const double combinations = number_of_combinations(file);
  const double tuning_runs =
      plan.tuning ? number_of_points(file.tune) * *plan.tuning->config.repetitions : 0;
  if (combinations * (plan.repetitions + tuning_runs) <= most_runs) return;
  faults.add({.text = plan.source_name},
             fmt::format("{:.0f} combinations with {} repetitions{} are too many; at most {} "
                         "runs are allowed",
                         combinations, plan.repetitions,
                         plan.tuning ? fmt::format(" and {:.0f} tuning runs", tuning_runs) : "",
                         most_runs));
  faults.throw_if_any(plan.source_name);
}

}  // namespace

ExperimentPlan plan_experiment(std::string_view toml_text, std::string source_name,
                               const std::filesystem::path& folder,
                               std::span<const std::string> overrides, int most_runs) {
  ConfigFile file = read_config(toml_text, source_name, folder, overrides);

  ExperimentPlan plan;
  plan.source_name = std::move(source_name);
  const ExperimentConfig base = resolve(given_outside_sweeps(file));
  plan.repetitions = base.run.repetitions;
  plan.target = base.run.target;
  plan.tuning = resolve_tuning(file, base);
  check_number_of_runs(file, plan, most_runs, file.faults);

  const std::vector<const Key*> swept = swept_keys(file);
  const std::vector<SweepPoint> points = sweep_points(file, swept);
  if (plan.tuning) {
    for (const SweepPoint& point : points) check_tuning(plan.tuning->config, point.config(), file);
  }
  file.faults.throw_if_any(plan.source_name, static_cast<int>(number_of_combinations(file)));

  const std::vector<std::size_t> varied = varied_columns(points, swept.size());
  for (const std::size_t column : varied) plan.varied_keys.push_back(swept[column]->name);
  FolderNames names(plan.varied_keys);
  for (const SweepPoint& point : points) {
    Combination& combination = plan.combinations.emplace_back();
    for (const std::size_t column : varied)
      combination.varied.emplace_back(swept[column]->name, point.values[column]);
    combination.name = names.next(combination.varied);
    if (plan.tuning) {
      combination.candidates =
          tuning_candidates(*plan.tuning, file.tune, point.candidates, combination.name);
    }
    // The folder above is the experiment's: a run has it only where there is nothing else.
    const bool numbered = plan.repetitions > 1 || (plan.tuning && combination.name.empty());
    combination.runs = repetitions_of(point.config(), plan.repetitions, combination.name,
                                      combination.name, numbered);
  }
  return plan;
}

}  // namespace driftless
