#include "driftless/record/sweep_folder.hpp"

#include <nlohmann/json.hpp>

#include "driftless/base/file.hpp"
#include "driftless/base/version.hpp"
#include "driftless/record/csv.hpp"
#include "driftless/record/json_number.hpp"
#include "driftless/record/metrics_file.hpp"
#include "driftless/record/tune_files.hpp"

namespace driftless {

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

// Runs that did not begin, because the sweep was interrupted, have no rows.
void write_combined_metrics(const fs::path& folder, const ExperimentPlan& plan,
                            const Results& results) {
  AtomicFile combined(folder / "metrics.csv");
  std::vector<std::string> header(plan.varied_keys);
  header.insert(header.end(), {"repetition", "seed"});
  std::string first_line = csv_line(header);
  first_line.back() = ',';  // in place of the line break
  combined.write(first_line + metrics_header());

  for (const CombinationResult& result : results) {
    for (std::size_t k = 0; k < result.runs.size(); ++k) {
      if (!result.runs[k].outcome()) continue;
      const PlannedRun& run = result.plan->runs[k];
      std::vector<std::string> fields;
      for (const auto& [key, value] : result.plan->varied) fields.push_back(value);
      fields.push_back(std::to_string(run.repetition));
      fields.push_back(std::to_string(run.config.run.seed));
      std::string prefix = csv_line(fields);
      prefix.back() = ',';
      std::string lines;
      for (const Metrics& row : read_metrics(folder / run.folder / "metrics.csv").rows)
        lines += prefix + metrics_line(row);
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
  entry["outcome"] = digest.outcome() ? name_of(*digest.outcome()) : "not run";
  if (const std::optional<Reached> reached = digest.reached()) {
    entry["rounds_to_target"] = reached->round;
    entry["bytes_to_target"] = reached->bytes_total;
  } else {
    entry["rounds_to_target"] = entry["bytes_to_target"] = missed(has_target);
  }
  const bool known = digest.optimum_known();
  entry["final_suboptimality"] = known ? json_number(digest.level()) : ordered_json(nullptr);
  entry["final_loss"] = known ? ordered_json(nullptr) : json_number(digest.level());
  entry["final_test_accuracy"] = json_number(digest.accuracy());
  return entry;
}

ordered_json estimate_entry(const std::optional<Estimate>& figure) {
  if (!figure) return nullptr;
  return {
      {"mean", figure->mean}, {"interval_95", json_number(figure->half_width)}, {"n", figure->n}};
}

// Means over the repetitions of one combination, as the closing table has them.
ordered_json combination_entry(const CombinationResult& result, bool has_target) {
  const std::span<const RunDigest> runs = result.runs;
  ordered_json entry;
  entry["combination"] = result.plan->name;
  for (const auto& [key, value] : result.plan->varied) entry["varied"][key] = value;
  entry["repetitions"] = runs.size();
  const auto to_target = [&](DigestNumber number) {
    const std::optional<Estimate> found = estimate_of(runs, number);
    return found ? estimate_entry(found) : missed(has_target);
  };
  entry["rounds_to_target"] = to_target(&RunDigest::rounds_to_target);
  entry["bytes_to_target"] = to_target(&RunDigest::bytes_to_target);
  const bool known = runs.front().optimum_known();
  entry[known ? "final_suboptimality" : "final_loss"] =
      estimate_entry(estimate_of(runs, &RunDigest::level));
  entry["final_test_accuracy"] = estimate_entry(estimate_of(runs, &RunDigest::accuracy));
  entry["final_worst_node_accuracy"] =
      estimate_entry(estimate_of(runs, &RunDigest::worst_accuracy));
  return entry;
}

}  // namespace

void write_sweep(const fs::path& folder, const ExperimentPlan& plan, const Results& results,
                 const std::vector<std::string>& overrides) {
  write_combined_metrics(folder, plan, results);
  if (plan.tuning) write_file_atomically(folder / "tune.csv", tune_csv(plan, results));
  const bool has_target = plan.target.has_value();
  ordered_json summary;
  summary["source"] = plan.source_name;
  summary["overrides"] = overrides;
  summary["varied_keys"] = plan.varied_keys;
  summary["repetitions"] = plan.repetitions;
  summary["target"] = plan.target ? ordered_json(*plan.target) : ordered_json(nullptr);
  summary["versions"] = {{"driftless", version()}, {"compiler", compiler()}};
  if (plan.tuning) summary["tuned"] = tuned_entry(plan, results);
  for (const CombinationResult& result : results) {
    summary["combinations"].push_back(combination_entry(result, has_target));
  }
  for (const CombinationResult& result : results) {
    for (std::size_t k = 0; k < result.runs.size(); ++k) {
      summary["runs"].push_back(
          run_entry(*result.plan, result.plan->runs[k], result.runs[k], has_target));
    }
  }
  write_file_atomically(folder / "summary.json", summary.dump(2) + "\n");
}

}  // namespace driftless
