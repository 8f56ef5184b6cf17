#include "driftless/record/sweep_folder.hpp"

#include <fmt/format.h>

#include "driftless/base/file.hpp"
#include "driftless/base/parse_json.hpp"
#include "driftless/base/version.hpp"
#include "driftless/record/csv.hpp"
#include "driftless/record/metrics_file.hpp"
#include "driftless/record/result_text.hpp"
#include "driftless/record/summary_file.hpp"

namespace driftless {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

std::vector<std::string> varied_values(const Combination& combination) {
  std::vector<std::string> values;
  for (const auto& [key, value] : combination.varied) values.push_back(value);
  return values;
}

// Runs that did not begin, because the sweep was interrupted, have no rows.
void write_combined_metrics(const Folder& folder, const ExperimentPlan& plan,
                            const Results& results) {
  const fs::path runs = folder.where();
  AtomicFile combined(folder, "metrics.csv");
  std::vector<std::string> header(plan.varied_keys);
  header.insert(header.end(), {"repetition", "seed"});
  combined.write(metrics_header(header));

  for (const CombinationResult& result : results) {
    for (std::size_t k = 0; k < result.runs.size(); ++k) {
      if (!result.runs[k].outcome()) continue;
      const PlannedRun& run = result.plan->runs[k];
      std::vector<std::string> fields = varied_values(*result.plan);
      fields.push_back(std::to_string(run.repetition));
      fields.push_back(std::to_string(run.config.run.seed));
      std::string lines;
      for (const Metrics& row : read_metrics(runs / run.folder / "metrics.csv").rows)
        lines += metrics_line(row, fields);
      combined.write(lines);
    }
  }
  combined.commit();
}

// In the place of the figures to a target.
ordered_json missed(bool has_target) {
  return has_target ? ordered_json("not reached") : ordered_json(nullptr);
}

ordered_json run_entry(const Combination& combination, const PlannedRun& run,
                       const RunDigest& digest, bool has_target) {
  ordered_json entry;
  entry["folder"] = run.folder.string();
  for (const auto& [key, value] : combination.varied) entry["varied"][key] = value;
  entry["repetition"] = run.repetition;
  entry["seed"] = run.config.run.seed;
  entry["outcome"] = digest.outcome_name();
  const std::optional<Reached> reached = digest.reached();
  entry["rounds_to_target"] = reached ? ordered_json(reached->round) : missed(has_target);
  // What sparse rows leave open: the target may have been reached so early.
  if (reached && !reached->is_exact()) entry["rounds_to_target_from"] = reached->earliest;
  entry["bytes_to_target"] = reached ? ordered_json(reached->bytes_total) : missed(has_target);
  const bool known = digest.optimum_known();
  entry["final_suboptimality"] = known ? or_null(digest.level()) : ordered_json(nullptr);
  entry["final_loss"] = known ? ordered_json(nullptr) : or_null(digest.level());
  entry["final_test_accuracy"] = or_null(digest.accuracy());
  return entry;
}

// Means over the repetitions of one combination, as the closing table has them.
ordered_json combination_entry(const CombinationResult& result, bool has_target) {
  const std::span<const RunDigest> runs = result.runs;
  ordered_json entry;
  entry["combination"] = result.plan->name;
  for (const auto& [key, value] : result.plan->varied) entry["varied"][key] = value;
  entry["repetitions"] = runs.size();
  const auto add = [&](const char* name, DigestNumber number, const ordered_json& otherwise) {
    const ordered_json found = numbers_json(runs, number, "interval_95");
    entry[name] = found.is_null() ? otherwise : found;
  };
  add("rounds_to_target", &RunDigest::rounds_to_target, missed(has_target));
  add("bytes_to_target", &RunDigest::bytes_to_target, missed(has_target));
  const bool known = runs.front().optimum_known();
  add(known ? "final_suboptimality" : "final_loss", &RunDigest::level, nullptr);
  add("final_test_accuracy", &RunDigest::accuracy, nullptr);
  add("final_node_accuracy", &RunDigest::node_accuracy, nullptr);
  add("final_worst_node_accuracy", &RunDigest::worst_accuracy, nullptr);
  return entry;
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
  entry["interval_95"] = found.score ? or_null(found.score->half_width) : ordered_json(nullptr);
  entry["text"] = score_text(found, tuning.config);
  entry["n"] = candidate.runs.size();
  entry["chosen"] = result.chosen == point;
  return entry;
}

ordered_json tuned_combination(const Tuning& tuning, const CombinationResult& result) {
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

// A row for each combination and candidate: values, score, outcome, and whether it was chosen.
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
      std::vector<std::string> fields = varied_values(*result.plan);
      fields.insert(fields.end(), candidate.values.begin(), candidate.values.end());
      const auto score = found.score.value_or(Estimate{.half_width = {}});
      fields.push_back(found.score ? fmt::format("{}", score.mean) : "");
      fields.push_back(score.half_width ? fmt::format("{}", *score.half_width) : "");
      fields.push_back(std::to_string(candidate.runs.size()));
      fields.emplace_back(name_of(found.standing));
      fields.emplace_back(result.chosen == point ? "yes" : "no");
      text += csv_line(fields);
    }
  }
  return text;
}

// The same, with what was asked for.
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
    entry["combinations"].push_back(tuned_combination(*plan.tuning, result));
  return entry;
}

}  // namespace

void write_sweep(const Folder& folder, const ExperimentPlan& plan, const Results& results,
                 const std::vector<std::string>& overrides) {
  write_combined_metrics(folder, plan, results);
  if (plan.tuning) write_file_atomically(folder, "tune.csv", tune_csv(plan, results));
  const bool has_target = plan.target.has_value();
  ordered_json summary;
  summary["source"] = plan.source_name;
  summary["overrides"] = overrides;
  summary["varied_keys"] = plan.varied_keys;
  summary["repetitions"] = plan.repetitions;
  summary["target"] = or_null(plan.target);
  summary["versions"] = {{"driftless", version()}, {"compiler", compiler()}};
  if (plan.tuning) summary["tuned"] = tuned_entry(plan, results);
  for (const CombinationResult& result : results) {
    summary["combinations"].push_back(combination_entry(result, has_target));
    for (std::size_t k = 0; k < result.runs.size(); ++k) {
      summary["runs"].push_back(
          run_entry(*result.plan, result.plan->runs[k], result.runs[k], has_target));
    }
  }
  write_file_atomically(folder, "summary.json", json_text(summary));
}

}  // namespace driftless
