#include "driftless/report/report_data.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "driftless/base/regular_file.hpp"
#include "driftless/base/text.hpp"
#include "driftless/base/version.hpp"
#include "driftless/config/parse_toml.hpp"
#include "driftless/experiment/metrics.hpp"
#include "driftless/record/summary_file.hpp"
#include "driftless/report/group_data.hpp"
#include "driftless/report/titles.hpp"

namespace driftless {
namespace {

using Json = nlohmann::ordered_json;

// Each network once, as the runs on it have told it.
Json networks_json(const std::vector<RecordedRun>& runs) {
  std::set<std::string> seen;
  Json networks = Json::array();
  for (const RecordedRun& run : runs) {
    if (!run.summary.contains("network")) continue;
    Json network = run.summary["network"];
    const std::string file = run.setting("network.file");
    network["name"] = file.empty() ? run.setting("network.topology") : file;
    network["weights"] = run.setting("network.weights");
    if (seen.insert(network.dump()).second) networks.push_back(network);
  }
  return networks;
}

// The first few different splits of the data, and how many there are: each seed may have its own.
Json splits_json(const std::vector<RecordedRun>& runs) {
  constexpr std::size_t most_drawn = 4;
  std::set<std::string> seen;
  Json drawn = Json::array();
  for (const RecordedRun& run : runs) {
    if (!run.summary.contains("split")) continue;
    Json split = run.summary["split"];
    for (const char* name : {"data", "split", "alpha", "shards"})
      split[name] = run.setting(std::string("problem.") + name);
    if (!seen.insert(split.dump()).second || drawn.size() == most_drawn) continue;
    split["seed"] = run.setting("run.seed");
    drawn.push_back(std::move(split));
  }
  return {{"count", seen.size()}, {"drawn", drawn}};
}

Json run_json(const RecordedRun& run) {
  Json json = {{"folder", run.folder.string()},
               {"outcome", run.outcome()},
               {"seed", run.setting("run.seed")},
               {"rows", run.metrics.rows.size()},
               {"torn", run.metrics.torn}};
  for (const char* name : {"diagnosis", "host", "threads", "seconds", "ended", "versions"}) {
    if (run.summary.contains(name)) json[name] = run.summary[name];
  }
  return json;
}

// The settings that all runs share.
Json shared_settings(const std::vector<RecordedRun>& runs) {
  Json::object_t shared;  // to look for a key before it is added would take the square of the time
  for (const auto& [key, value] : runs.front().settings) {
    const auto same = [&, &key = key, &value = value](const RecordedRun& run) {
      const auto found = run.settings.find(key);
      return found != run.settings.end() && found->second == value;
    };
    if (std::ranges::all_of(runs, same)) shared.push_back({key, value});
  }
  return shared;
}

// What was run, as it was asked for.
Json experiments_json(const std::vector<RecordedRun>& runs) {
  Json experiments = Json::array();
  std::set<std::filesystem::path> seen;
  for (const RecordedRun& run : runs) {
    if (!seen.insert(run.experiment).second) continue;
    const std::filesystem::path given = run.experiment / "experiment.toml";
    const bool sweep = std::filesystem::exists(given);
    Json& json = experiments.emplace_back();
    json["folder"] = run.experiment.string();
    json["config"] = read_file(sweep ? given : run.folder / "config.toml", longest_config);
    if (!sweep) continue;
    const nlohmann::json told = read_summary(run.experiment);
    for (const char* name : {"source", "overrides", "tuned"}) {
      if (told.contains(name)) json[name] = told[name];
    }
  }
  return experiments;
}

}  // namespace

Json report_data(const std::vector<RecordedRun>& runs, const Comparison& comparison,
                 const FigureChoice& choice) {
  Json data;
  data["version"] = version();
  data["made"] = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  for (const MetricColumn& column : metric_columns()) {
    data["columns"].push_back({{"name", column.name},
                               {"meaning", column.meaning},
                               {"is_cost", column.is_cost},
                               {"least", column.least},
                               {"most", column.most}});
  }
  data["keys"] = comparison.keys;
  data["axes"] = comparison.axes;
  data["titles"] = titles_json(comparison, choice.labels);
  data["labels"] = choice.labels;
  data["choice"] = choice_json(choice);
  data["groups"] = group_data(comparison, choice.band, data["thinned"]);
  data["networks"] = networks_json(runs);
  data["splits"] = splits_json(runs);
  data["settings"] = shared_settings(runs);
  data["experiments"] = experiments_json(runs);
  for (const RecordedRun& run : runs) data["runs"].push_back(run_json(run));
  return data;
}

}  // namespace driftless
