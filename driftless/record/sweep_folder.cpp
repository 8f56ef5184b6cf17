#include "driftless/record/sweep_folder.hpp"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "driftless/base/file.hpp"
#include "driftless/base/version.hpp"
#include "driftless/record/csv.hpp"
#include "driftless/record/json_number.hpp"
#include "driftless/record/tune_files.hpp"

namespace driftless {

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

// Runs that did not begin, because the sweep was interrupted, have no rows.
void write_combined_metrics(const fs::path& folder, const ExperimentPlan& plan,
                            const std::vector<RunFigures>& figures) {
  AtomicFile combined(folder / "metrics.csv");
  std::vector<std::string> header(plan.varied_keys);
  header.insert(header.end(), {"repetition", "seed"});
  for (const MetricColumn& column : metric_columns()) header.emplace_back(column.name);
  combined.write(csv_line(header));

  for (std::size_t k = 0; k < plan.runs.size(); ++k) {
    if (!figures[k].outcome()) continue;
    const PlannedRun& run = plan.runs[k];
    std::vector<std::string> fields;
    for (const auto& [key, value] : run.varied) fields.push_back(value);
    fields.push_back(std::to_string(run.repetition));
    fields.push_back(std::to_string(run.config.run.seed));
    std::string prefix = csv_line(fields);
    prefix.back() = ',';  // in place of the line break

    std::ifstream rows(folder / run.folder / "metrics.csv");
    std::string row;
    std::getline(rows, row);  // its header
    std::string lines;
    while (std::getline(rows, row)) lines += fmt::format("{}{}\n", prefix, row);
    combined.write(lines);
  }
  combined.commit();
}

// In the place of the figures to a target.
ordered_json missed(bool has_target) {
  return has_target ? ordered_json("not reached") : ordered_json(nullptr);
}

ordered_json run_entry(const PlannedRun& run, const RunFigures& figures, bool has_target) {
  ordered_json entry;
  entry["folder"] = run.folder.string();
  for (const auto& [key, value] : run.varied) entry["varied"][key] = value;
  entry["repetition"] = run.repetition;
  entry["seed"] = run.config.run.seed;
  entry["outcome"] = figures.outcome() ? name_of(*figures.outcome()) : "not run";
  if (const auto& reached = figures.reached()) {
    entry["rounds_to_target"] = reached->round;
    entry["bytes_to_target"] = reached->bytes_total;
  } else {
    entry["rounds_to_target"] = entry["bytes_to_target"] = missed(has_target);
  }
  const bool known = figures.optimum_known();
  entry["final_suboptimality"] = known ? json_number(figures.level()) : ordered_json(nullptr);
  entry["final_loss"] = known ? ordered_json(nullptr) : json_number(figures.level());
  entry["final_test_accuracy"] = json_number(figures.accuracy());
  return entry;
}

ordered_json estimate_entry(const std::optional<Estimate>& figure) {
  if (!figure) return nullptr;
  return {
      {"mean", figure->mean}, {"interval_95", json_number(figure->half_width)}, {"n", figure->n}};
}

// Means over the repetitions of one combination, as the closing table has them.
ordered_json combination_entry(const PlannedRun& first, std::span<const RunFigures> runs,
                               bool has_target) {
  ordered_json entry;
  entry["combination"] = first.combination;
  for (const auto& [key, value] : first.varied) entry["varied"][key] = value;
  entry["repetitions"] = runs.size();
  const auto to_target = [&](RunFigure figure) {
    const std::optional<Estimate> found = estimate_of(runs, figure);
    return found ? estimate_entry(found) : missed(has_target);
  };
  entry["rounds_to_target"] = to_target(&RunFigures::rounds_to_target);
  entry["bytes_to_target"] = to_target(&RunFigures::bytes_to_target);
  const bool known = runs.front().optimum_known();
  entry[known ? "final_suboptimality" : "final_loss"] =
      estimate_entry(estimate_of(runs, &RunFigures::level));
  entry["final_test_accuracy"] = estimate_entry(estimate_of(runs, &RunFigures::accuracy));
  entry["final_worst_node_accuracy"] =
      estimate_entry(estimate_of(runs, &RunFigures::worst_accuracy));
  return entry;
}

}  // namespace

void write_sweep(const fs::path& folder, const ExperimentPlan& plan,
                 const std::vector<RunFigures>& figures, const std::vector<std::string>& overrides,
                 std::span<const TunedCombination> tuned) {
  write_combined_metrics(folder, plan, figures);
  if (plan.tuning) write_file_atomically(folder / "tune.csv", tune_csv(plan, tuned));
  ordered_json summary;
  summary["source"] = plan.source_name;
  summary["overrides"] = overrides;
  summary["varied_keys"] = plan.varied_keys;
  summary["repetitions"] = plan.repetitions;
  summary["target"] = plan.target ? ordered_json(*plan.target) : ordered_json(nullptr);
  summary["versions"] = {{"driftless", version()}, {"compiler", compiler()}};
  if (plan.tuning) summary["tuned"] = tuned_entry(plan, tuned);
  for (const Combination& combination : combinations_of(plan)) {
    summary["combinations"].push_back(combination_entry(
        plan.runs[combination.begin],
        std::span(figures).subspan(combination.begin, combination.end - combination.begin),
        plan.target.has_value()));
  }
  for (std::size_t k = 0; k < plan.runs.size(); ++k) {
    summary["runs"].push_back(run_entry(plan.runs[k], figures[k], plan.target.has_value()));
  }
  write_file_atomically(folder / "summary.json", summary.dump(2) + "\n");
}

}  // namespace driftless
