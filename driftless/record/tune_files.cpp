#include "driftless/record/tune_files.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "driftless/record/csv.hpp"
#include "driftless/record/json_number.hpp"

namespace driftless {

namespace {

using nlohmann::ordered_json;

// Any run of the combination: all have its varied keys.
const PlannedRun& run_of(const ExperimentPlan& plan, std::size_t combination) {
  return plan.runs[combination * static_cast<std::size_t>(plan.repetitions)];
}

std::string text_of(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : "";
}

ordered_json values_at(const TunePlan& tuning, std::size_t point) {
  ordered_json values;
  for (std::size_t k = 0; k < tuning.keys.size(); ++k)
    values[tuning.keys[k]] = tuning.grid[point][k];
  return values;
}

ordered_json point_entry(const TunePlan& tuning, std::size_t combination, std::size_t point,
                         const TunedCombination& tuned) {
  const PointScore& found = tuned.points[point];
  const auto repetitions = static_cast<std::size_t>(*tuning.config.repetitions);
  const auto& first = tuning.runs[(combination * tuning.grid.size() + point) * repetitions];
  ordered_json entry;
  entry["values"] = values_at(tuning, point);
  entry["folder"] = (repetitions > 1 ? first.folder.parent_path() : first.folder).string();
  entry["outcome"] = name_of(found.standing);
  entry["score"] = found.score ? ordered_json(found.score->mean) : ordered_json(nullptr);
  if (found.standing == Standing::not_reached) entry["score"] = name_of(found.standing);
  entry["interval_95"] = found.score ? json_number(found.score->half_width) : ordered_json(nullptr);
  entry["n"] = repetitions;
  entry["chosen"] = tuned.chosen == point;
  return entry;
}

}  // namespace

std::string tune_csv(const ExperimentPlan& plan, std::span<const TunedCombination> tuned) {
  const TunePlan& tuning = *plan.tuning;
  std::vector<std::string> header(plan.varied_keys);
  header.insert(header.end(), tuning.keys.begin(), tuning.keys.end());
  header.insert(header.end(), {"score", "interval_95", "n", "outcome", "chosen"});
  std::string text = csv_line(header);
  for (std::size_t c = 0; c < tuned.size(); ++c) {
    for (std::size_t point = 0; point < tuning.grid.size(); ++point) {
      const PointScore& found = tuned[c].points[point];
      std::vector<std::string> fields;
      for (const auto& [key, value] : run_of(plan, c).varied) fields.push_back(value);
      fields.insert(fields.end(), tuning.grid[point].begin(), tuning.grid[point].end());
      fields.push_back(found.score ? fmt::format("{}", found.score->mean) : "");
      fields.push_back(found.score ? text_of(found.score->half_width) : "");
      fields.push_back(std::to_string(*tuning.config.repetitions));
      fields.emplace_back(name_of(found.standing));
      fields.emplace_back(tuned[c].chosen == point ? "yes" : "no");
      text += csv_line(fields);
    }
  }
  return text;
}

ordered_json tuned_entry(const ExperimentPlan& plan, std::span<const TunedCombination> tuned) {
  const TunePlan& tuning = *plan.tuning;
  const TuneConfig& config = tuning.config;
  ordered_json entry;
  entry["metric"] = *config.metric;
  entry["direction"] = *config.direction;
  entry["read"] = *config.read;
  if (config.evaluations) entry["evaluations"] = *config.evaluations;
  if (config.target) entry["target"] = *config.target;
  entry["keys"] = tuning.keys;
  entry["repetitions"] = *config.repetitions;
  for (std::size_t c = 0; c < tuned.size(); ++c) {
    const PlannedRun& run = run_of(plan, c);
    const auto& first = tuning.runs[c * tuning.runs.size() / tuned.size()].config.run;
    ordered_json combination;
    combination["combination"] = run.combination;
    for (const auto& [key, value] : run.varied) combination["varied"][key] = value;
    combination["rounds"] = first.rounds;
    combination["first_seed"] = first.seed;
    combination["chosen"] =
        tuned[c].chosen ? values_at(tuning, *tuned[c].chosen) : ordered_json(nullptr);
    combination["at_edge"] =
        tuned[c].chosen ? keys_at_edge(tuning, *tuned[c].chosen) : std::vector<std::string>();
    for (std::size_t point = 0; point < tuning.grid.size(); ++point)
      combination["points"].push_back(point_entry(tuning, c, point, tuned[c]));
    entry["combinations"].push_back(combination);
  }
  return entry;
}

}  // namespace driftless
