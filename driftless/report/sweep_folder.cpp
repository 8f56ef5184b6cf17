#include "driftless/report/sweep_folder.hpp"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "driftless/base/file.hpp"
#include "driftless/base/version.hpp"
#include "driftless/report/csv.hpp"

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

ordered_json run_entry(const PlannedRun& run, const RunFigures& figures) {
  ordered_json entry;
  entry["folder"] = run.folder.string();
  for (const auto& [key, value] : run.varied) entry["varied"][key] = value;
  entry["repetition"] = run.repetition;
  entry["seed"] = run.config.run.seed;
  entry["outcome"] = figures.outcome() ? name_of(*figures.outcome()) : "not run";
  const auto& reached = figures.reached();
  entry["rounds_to_target"] = reached ? ordered_json(reached->round) : ordered_json(nullptr);
  entry["bytes_to_target"] = reached ? ordered_json(reached->bytes_total) : ordered_json(nullptr);
  const auto number = [](const std::optional<double>& value) {
    return value && std::isfinite(*value) ? ordered_json(*value) : ordered_json(nullptr);
  };
  const bool known = figures.optimum_known();
  entry["final_suboptimality"] = known ? number(figures.level()) : ordered_json(nullptr);
  entry["final_loss"] = known ? ordered_json(nullptr) : number(figures.level());
  entry["final_test_accuracy"] = number(figures.accuracy());
  return entry;
}

}  // namespace

void write_sweep(const fs::path& folder, const ExperimentPlan& plan,
                 const std::vector<RunFigures>& figures,
                 const std::vector<std::string>& overrides) {
  write_combined_metrics(folder, plan, figures);
  ordered_json summary;
  summary["source"] = plan.source_name;
  summary["overrides"] = overrides;
  summary["varied_keys"] = plan.varied_keys;
  summary["repetitions"] = plan.repetitions;
  summary["target"] = plan.target ? ordered_json(*plan.target) : ordered_json(nullptr);
  summary["versions"] = {{"driftless", version()}, {"compiler", compiler()}};
  for (std::size_t k = 0; k < plan.runs.size(); ++k) {
    summary["runs"].push_back(run_entry(plan.runs[k], figures[k]));
  }
  write_file_atomically(folder / "summary.json", summary.dump(2) + "\n");
}

}  // namespace driftless
