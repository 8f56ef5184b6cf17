#include "driftless/record/tune_files.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "driftless/record/csv.hpp"
#include "driftless/record/json_number.hpp"

namespace driftless {

namespace {

using nlohmann::ordered_json;

std::string text_of(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : "";
}

ordered_json values_of(const Tuning& tuning, const Candidate& candidate) {
  ordered_json values;
  for (std::size_t k = 0; k < tuning.keys.size(); ++k) values[tuning.keys[k]] = candidate.values[k];
  return values;
}

ordered_json candidate_entry(const Tuning& tuning, const CombinationResult& result,
                             std::size_t point) {
  const Candidate& candidate = result.plan->candidates[point];
  const CandidateScore& found = result.candidates[point];
  ordered_json entry;
  entry["values"] = values_of(tuning, candidate);
  entry["folder"] = candidate.folder.string();
  entry["outcome"] = name_of(found.standing);
  entry["score"] = found.score ? ordered_json(found.score->mean) : ordered_json(nullptr);
  if (found.standing == Standing::not_reached) entry["score"] = name_of(found.standing);
  entry["interval_95"] = found.score ? json_number(found.score->half_width) : ordered_json(nullptr);
  entry["n"] = candidate.runs.size();
  entry["chosen"] = result.chosen == point;
  return entry;
}

ordered_json combination_entry_of(const Tuning& tuning, const CombinationResult& result) {
  const Combination& combination = *result.plan;
  const RunConfig& first = combination.candidates.front().runs.front().config.run;
  ordered_json entry;
  entry["combination"] = combination.name;
  for (const auto& [key, value] : combination.varied) entry["varied"][key] = value;
  entry["rounds"] = first.rounds;
  entry["first_seed"] = first.seed;
  entry["chosen"] = result.chosen ? values_of(tuning, combination.candidates[*result.chosen])
                                  : ordered_json(nullptr);
  entry["at_edge"] = result.chosen ? keys_at_edge(tuning, combination, *result.chosen)
                                   : std::vector<std::string>();
  for (std::size_t point = 0; point < combination.candidates.size(); ++point)
    entry["points"].push_back(candidate_entry(tuning, result, point));
  return entry;
}

}  // namespace

std::string tune_csv(const ExperimentPlan& plan, const Results& results) {
  const Tuning& tuning = *plan.tuning;
  std::vector<std::string> header(plan.varied_keys);
  header.insert(header.end(), tuning.keys.begin(), tuning.keys.end());
  header.insert(header.end(), {"score", "interval_95", "n", "outcome", "chosen"});
  std::string text = csv_line(header);
  for (const CombinationResult& result : results) {
    for (std::size_t point = 0; point < result.candidates.size(); ++point) {
      const Candidate& candidate = result.plan->candidates[point];
      const CandidateScore& found = result.candidates[point];
      std::vector<std::string> fields;
      for (const auto& [key, value] : result.plan->varied) fields.push_back(value);
      fields.insert(fields.end(), candidate.values.begin(), candidate.values.end());
      fields.push_back(found.score ? fmt::format("{}", found.score->mean) : "");
      fields.push_back(found.score ? text_of(found.score->half_width) : "");
      fields.push_back(std::to_string(candidate.runs.size()));
      fields.emplace_back(name_of(found.standing));
      fields.emplace_back(result.chosen == point ? "yes" : "no");
      text += csv_line(fields);
    }
  }
  return text;
}

ordered_json tuned_entry(const ExperimentPlan& plan, const Results& results) {
  const TuneConfig& config = plan.tuning->config;
  ordered_json entry;
  entry["metric"] = *config.metric;
  entry["direction"] = *config.direction;
  entry["read"] = *config.read;
  if (config.evaluations) entry["evaluations"] = *config.evaluations;
  if (config.target) entry["target"] = *config.target;
  entry["keys"] = plan.tuning->keys;
  entry["repetitions"] = *config.repetitions;
  for (const CombinationResult& result : results)
    entry["combinations"].push_back(combination_entry_of(*plan.tuning, result));
  return entry;
}

}  // namespace driftless
