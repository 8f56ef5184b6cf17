#include "driftless/config/sweep_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <set>
#include <system_error>

#include "driftless/base/error.hpp"
#include "driftless/config/config_file.hpp"
#include "driftless/config/cross_check.hpp"
#include "driftless/config/folder_names.hpp"
#include "driftless/config/schema.hpp"
#include "driftless/config/tune_plan.hpp"

namespace driftless {
namespace {

constexpr int max_runs = 100'000;

// One point of the sweep: its config, and the values there of all swept keys of the file.
struct SweepPoint {
  std::vector<ExperimentConfig> candidates;  // one for each point of the tuning grid; else one
  std::vector<std::string> values;

  const ExperimentConfig& config() const { return candidates.front(); }
};

Given given_outside_sweeps(const ConfigFile& file) {
  Given given(config_keys().size(), nullptr);
  for (const Setting& setting : file.settings) given[slot_of(*setting.key)] = &setting;
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

// As it goes into tables and names of folders; empty where the run has no such key.
std::string value_text(const Key& key, const ExperimentConfig& config,
                       const std::filesystem::path& folder) {
  const std::optional<Value> value = key.value_in(config);
  if (!value || !why_inapplicable(key, config).empty()) return "";
  if (key.type != Key::Type::path) return plain_text(*value);
  return std::filesystem::path(plain_text(*value)).lexically_proximate(folder).string();
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
        for (const Setting* setting : both) given[slot_of(*setting->key)] = setting;
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

std::string read_text(const std::filesystem::path& file) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error))
    throw ConfigError(fmt::format("{}: a folder; expected a config file", file.string()));
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  if (!stream.is_open() || stream.bad())
    throw ConfigError(fmt::format("{}: cannot be read: {}", file.string(),
                                  std::generic_category().message(errno)));
  return text;
}

}  // namespace

std::vector<ExperimentConfig> ExperimentPlan::all_configs() const {
  std::vector<ExperimentConfig> configs;
  for (const PlannedRun& run : runs) configs.push_back(run.config);
  if (tuning) {
    for (const PlannedRun& run : tuning->runs) configs.push_back(run.config);
  }
  return configs;
}

ExperimentPlan load_experiment(const std::filesystem::path& file,
                               std::span<const std::string> overrides) {
  const std::filesystem::path folder = std::filesystem::absolute(file).parent_path();
  return plan_experiment(read_text(file), file.string(), folder, overrides);
}

ExperimentPlan plan_experiment(std::string_view toml_text, std::string source_name,
                               const std::filesystem::path& folder,
                               std::span<const std::string> overrides) {
  ConfigFile file = read_config(toml_text, source_name, folder, overrides);

  ExperimentPlan plan;
  plan.source_name = std::move(source_name);
  const ExperimentConfig base = resolve(given_outside_sweeps(file));
  plan.repetitions = base.run.repetitions;
  plan.target = base.run.target;
  const std::optional<TuneConfig> tune = resolve_tuning(file, base.tune);
  const double combinations = number_of_combinations(file);
  const double tuning_runs = tune ? number_of_points(file.tune) * *tune->repetitions : 0;
  if (combinations * (plan.repetitions + tuning_runs) > max_runs) {
    file.faults.add(
        {.text = plan.source_name},
        fmt::format("{:.0f} combinations with {} repetitions{} are too many; at most {} "
                    "runs are allowed",
                    combinations, plan.repetitions,
                    tune ? fmt::format(" and {:.0f} tuning runs", tuning_runs) : "", max_runs));
    file.faults.throw_if_any(plan.source_name);
  }

  const std::vector<const Key*> swept = swept_keys(file);
  const std::vector<SweepPoint> points = sweep_points(file, swept);
  if (tune) {
    for (const SweepPoint& point : points) check_tuning(*tune, point.config(), file);
  }
  file.faults.throw_if_any(plan.source_name, static_cast<int>(combinations));

  const std::vector<std::size_t> varied = varied_columns(points, swept.size());
  for (const std::size_t column : varied) plan.varied_keys.push_back(swept[column]->name);
  if (tune) plan.tuning = begin_tuning(*tune, file.tune);
  FolderNames names(plan.varied_keys);
  for (const SweepPoint& point : points) {
    PlannedRun planned;
    planned.config = point.config();
    for (const std::size_t column : varied)
      planned.varied.emplace_back(swept[column]->name, point.values[column]);
    planned.combination = names.next(planned.varied);
    planned.config.run.repetitions = 1;
    planned.config.tune = {};
    if (tune) add_tuning_runs(planned, point.candidates, *plan.tuning);
    // The folder above is the experiment's: a run has it only where there is nothing else.
    const bool numbered = plan.repetitions > 1 || (tune && planned.combination.empty());
    for (int k = 1; k <= plan.repetitions; ++k) {
      planned.repetition = k;
      planned.config.run.seed = point.config().run.seed + static_cast<std::uint64_t>(k - 1);
      planned.folder = planned.combination;
      if (numbered) planned.folder /= fmt::format("rep-{}", k);
      plan.runs.push_back(planned);
    }
  }
  return plan;
}

}  // namespace driftless
