#include "driftless/config/tune_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "driftless/base/text.hpp"
#include "driftless/config/folder_names.hpp"

namespace driftless {
namespace {

// Seeds of tuning runs are so much larger, so that nothing is tuned on the draws of the runs.
constexpr std::uint64_t far_away = 1'000'000;

std::uint64_t first_seed(const TuneConfig& tune, const ExperimentConfig& config) {
  return tune.seed.value_or(config.run.seed + far_away);
}

// Where the key is given, or else where [tune] begins to name keys.
void note(ConfigFile& file, std::string_view key, std::string_view fault) {
  const Place* place = &file.tune.front().values.front().place;
  for (const Setting& setting : file.settings)
    if (setting.key->name == key) place = &setting.place;
  file.faults.add(*place, fmt::format("{} {}", key, fault));
}

// Whether part of the training samples is kept for tuning.
bool holds_out(const ExperimentConfig& config) {
  const auto share = config.problem.options.find("validation");
  return share != config.problem.options.end() && from_value<double>(share->second) > 0;
}

void check_metric(std::string_view metric, const ExperimentConfig& config, ConfigFile& file) {
  const bool learning = learns(config.problem);
  const auto needs = [&](std::string_view what) {
    note(file, "tune.metric", fmt::format("= \"{}\" needs {}", metric, what));
  };
  const auto set = [&](std::string_view option) {
    const auto found = config.problem.options.find(option);
    return found == config.problem.options.end() ? Value(false) : found->second;
  };
  const bool without_optimum = learning && set("optimum") != Value(true);
  if (metric == "suboptimality" && without_optimum) {
    needs("problem.optimum = true, or problem.kind = \"least_squares\"");
  }
  if (metric.starts_with("validation_") && !holds_out(config)) {
    needs("problem.validation above 0, such as 0.1");
  }
  const bool of_every_node = metric.find("node_") != std::string_view::npos;
  const bool of_samples = metric.starts_with("test_") || metric.starts_with("validation_") ||
                          metric == "train_loss" || of_every_node;
  if (of_samples && !learning) needs("a problem that learns from samples");
  if (of_every_node && !config.run.test_every_node) needs("run.test_every_node = true");
  if (metric == "grad_norm2" && !config.run.gradient_metrics.value_or(!learning))
    needs("run.gradient_metrics = true");
}

// The next number after the last of several that go away from each other: by the factor of the step
// before last, so that 0.01, 0.005, 0.001 goes on with 0.0005, and by the only factor of two. None
// where numbers are no such sequence.
std::optional<double> next_number(const std::vector<double>& numbers) {
  const std::size_t n = numbers.size();
  const double factor = n > 2 ? numbers[n - 2] / numbers[n - 3] : numbers[n - 1] / numbers[n - 2];
  const double last = numbers.back();
  const double next = *parse_number(fmt::format("{:.4g}", last * factor));  // without a tail
  const bool goes_on = std::isfinite(next) && last > 0 && factor > 0 &&
                       (last > numbers[n - 2] ? next > last : next < last);
  return goes_on ? std::optional(next) : std::nullopt;
}

// The value of a key beyond the end of the grid at which a candidate lies.
std::optional<Value> next_value(const Key& key, const Combination& combination, std::size_t column,
                                std::size_t chosen) {
  std::set<double> tried;
  for (const Candidate& candidate : combination.candidates)
    if (const auto number = parse_number(candidate.values[column])) tried.insert(*number);
  std::vector<double> outwards(tried.begin(), tried.end());
  if (parse_number(combination.candidates[chosen].values[column]) == outwards.front())
    std::ranges::reverse(outwards);
  const std::optional<double> next = next_number(outwards);
  if (!next) return std::nullopt;
  Value value = *next;
  if (key.type == Option::Type::integer) value = std::llround(*next);
  const auto is_new = [&](double number) { return !tried.contains(number); };
  const bool allowed = key.fault(value).empty() && is_new(*parse_number(plain_text(value)));
  return allowed ? std::optional(value) : std::nullopt;
}

}  // namespace

std::optional<Tuning> resolve_tuning(ConfigFile& file, const ExperimentConfig& base) {
  if (file.tune.empty()) {
    const auto lost = std::ranges::find_if(
        file.settings, [](const Setting& setting) { return setting.key->section() == "tune"; });
    if (lost != file.settings.end() && !file.tune_overridden) {
      file.faults.add(lost->place,
                      fmt::format("{}: [tune] names no key to tune; give one a list of values, for "
                                  "instance \"algorithm.local_rate\" = [0.1, 0.01]",
                                  lost->key->name));
    }
    return std::nullopt;
  }
  Tuning tuning{.config = base.tune, .keys = {}};
  TuneConfig& tune = tuning.config;
  if (!tune.metric && holds_out(base)) tune.metric = "validation_loss";
  if (!tune.metric) {
    note(file, "tune.metric",
         "is missing; it is the column that the best values are chosen by. It may be left out "
         "where problem.validation holds samples out for that");
  }
  const bool more_is_better =
      tune.metric.value_or("").ends_with("accuracy") || tune.metric == "test_r2";
  if (!tune.direction) tune.direction = more_is_better ? "max" : "min";
  if (!tune.read) tune.read = "last";
  if (!tune.repetitions) tune.repetitions = 1;
  for (const SweepAxis& axis : file.tune) {
    tuning.keys.push_back(axis.key->name);
    const bool swept = std::ranges::any_of(file.grids, [&](const SweepGrid& grid) {
      return std::ranges::find(grid, axis.key, &SweepAxis::key) != grid.end();
    });
    if (!swept) continue;
    file.faults.add(axis.values.front().place,
                    fmt::format("{} is both swept and tuned; remove one", axis.key->name));
  }
  return tuning;
}

void check_tuning(const TuneConfig& tune, const ExperimentConfig& config, ConfigFile& file) {
  if (tune.metric) check_metric(*tune.metric, config, file);
  const std::uint64_t first = first_seed(tune, config);
  const std::uint64_t beyond = first + static_cast<std::uint64_t>(*tune.repetitions);
  const std::uint64_t own = config.run.seed;
  const std::uint64_t own_beyond = own + static_cast<std::uint64_t>(config.run.repetitions);
  constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (beyond - 1 > largest) {
    note(file, "tune.seed", fmt::format("{} is too large; seeds end at {}", beyond - 1, largest));
  } else if (first < own_beyond && own < beyond) {
    note(file, "tune.seed",
         fmt::format("= {}: seeds {} to {} of the tuning runs meet {} to {} of the final runs, "
                     "whose figures would be chosen to look good; take a seed farther away",
                     first, first, beyond - 1, own, own_beyond - 1));
  }
}

std::vector<PlannedRun> repetitions_of(ExperimentConfig config, int repetitions,
                                       const std::string& combination,
                                       const std::filesystem::path& folder, bool numbered) {
  config.tune = {};
  config.run.repetitions = 1;
  std::vector<PlannedRun> runs;
  for (int k = 1; k <= repetitions; ++k, ++config.run.seed) {
    if (k > 1 && config.faults.any()) ++config.faults.seed;
    runs.push_back({.config = config,
                    .combination = combination,
                    .repetition = k,
                    .folder = numbered ? folder / fmt::format("rep-{}", k) : folder});
  }
  return runs;
}

std::vector<Candidate> tuning_candidates(const Tuning& tuning, const SweepGrid& grid,
                                         const std::vector<ExperimentConfig>& configs,
                                         const std::string& combination) {
  const std::vector<GridPoint> points = points_of(grid);
  const int repetitions = *tuning.config.repetitions;
  FolderNames names(tuning.keys);
  std::vector<Candidate> candidates;
  for (std::size_t point = 0; point < points.size(); ++point) {
    Candidate& candidate = candidates.emplace_back();
    std::vector<std::pair<std::string, std::string>> values;
    for (const Setting* setting : points[point]) {
      candidate.values.push_back(plain_text(*setting->value));
      values.emplace_back(setting->key->name, candidate.values.back());
    }
    candidate.folder = std::filesystem::path(combination) / "tune" / names.next(values);
    ExperimentConfig config = configs[point];
    config.run.rounds = tuning.config.rounds.value_or(config.run.rounds);
    if (const auto share = tuning.config.evaluate_from) {
      config.run.evaluate_from =
          static_cast<Round>(std::ceil(*share * static_cast<double>(config.run.rounds)));
    }
    config.run.seed = first_seed(tuning.config, config);
    if (config.faults.any()) config.faults.seed += far_away;
    candidate.runs =
        repetitions_of(config, repetitions, combination, candidate.folder, repetitions > 1);
  }
  return candidates;
}

std::optional<Candidate> beyond_the_grid(const Tuning& tuning, const Combination& combination,
                                         std::size_t chosen) {
  Candidate further = combination.candidates[chosen];
  std::vector<std::pair<std::string, std::string>> values;
  bool moved = false;
  const std::vector<std::string> at_edge = keys_at_edge(tuning, combination, chosen);
  for (std::size_t k = 0; k < tuning.keys.size(); ++k) {
    const Key& key = *find_key(tuning.keys[k]);
    const bool wanted = std::ranges::find(at_edge, key.name) != at_edge.end();
    if (const auto next = wanted ? next_value(key, combination, k, chosen) : std::nullopt) {
      further.values[k] = plain_text(*next);
      for (PlannedRun& run : further.runs) key.assign(run.config, *next);
      moved = true;
    }
    values.emplace_back(key.name, further.values[k]);
  }
  if (!moved) return std::nullopt;
  further.folder = further.folder.parent_path() / FolderNames(tuning.keys).next(values);
  for (PlannedRun& run : further.runs) {
    const bool numbered = further.runs.size() > 1;
    run.folder = numbered ? further.folder / fmt::format("rep-{}", run.repetition) : further.folder;
  }
  return further;
}

}  // namespace driftless
