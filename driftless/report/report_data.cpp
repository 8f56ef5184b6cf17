#include "driftless/report/report_data.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "driftless/base/regular_file.hpp"
#include "driftless/base/text.hpp"
#include "driftless/base/version.hpp"
#include "driftless/config/parse_toml.hpp"
#include "driftless/experiment/metrics.hpp"
#include "driftless/record/result_text.hpp"
#include "driftless/record/summary_file.hpp"
#include "driftless/report/group_data.hpp"
#include "driftless/report/met_weathers.hpp"
#include "driftless/report/titles.hpp"

namespace driftless {
namespace {

using Json = nlohmann::ordered_json;

bool same_network(const RecordedRun& one, const RecordedRun& other) {
  const auto same = [&](const char* key) { return one.setting(key) == other.setting(key); };
  return one.summary["network"] == other.summary["network"] && same("network.file") &&
         same("network.topology") && same("network.weights");
}

// Each network once, as the runs on it have told it.
Json networks_json(const std::vector<RecordedRun>& runs) {
  std::set<std::string> seen;
  Json networks = Json::array();
  const RecordedRun* last = nullptr;
  for (const RecordedRun& run : runs) {
    if (!run.summary.contains("network")) continue;
    // Runs that follow one another mostly have the same.
    if (last != nullptr && same_network(run, *last)) continue;
    last = &run;
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
               {"round", run.metrics.rows.empty() ? 0 : run.metrics.rows.back().round},
               {"rounds", parse_integer(run.setting("run.rounds")).value_or(0)},
               {"torn", run.metrics.torn}};
  for (const char* name : {"diagnosis", "host", "threads", "seconds", "ended", "versions"}) {
    if (run.summary.contains(name)) json[name] = run.summary[name];
  }
  return json;
}

// The settings that all runs share.
Json shared_settings(const std::vector<RecordedRun>& runs) {
  RecordedSettings shared = runs.front().settings;
  for (const RecordedRun& run : runs) {
    auto at = run.settings.begin();  // both are in the order of keys
    std::erase_if(shared, [&](const auto& setting) {
      while (at != run.settings.end() && at->first < setting.first) ++at;
      return at == run.settings.end() || *at != setting;
    });
  }
  // To look for a key before it is added would take the square of the time.
  return Json::object_t(shared.begin(), shared.end());
}

// What was run, as it was asked for.
Json experiments_json(const std::vector<RecordedRun>& runs) {
  Json experiments = Json::array();
  std::set<std::pair<std::filesystem::path, std::string>> seen;
  for (const RecordedRun& run : runs) {
    if (!seen.emplace(run.experiment, run.source).second) continue;
    Json& json = experiments.emplace_back();
    json["folder"] = run.experiment.string();
    if (!run.source.empty()) {
      json["config"] = run.source;
      continue;
    }
    const std::filesystem::path given = run.experiment / "experiment.toml";
    const bool sweep = std::filesystem::exists(given);
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
  data["fewest_for_an_interval"] = fewest_for_an_interval;
  data["groups"] = group_data(comparison, choice.band, data["thinned"]);
  data["weathers"] = weathers_json(comparison);
  data["networks"] = networks_json(runs);
  data["splits"] = splits_json(runs);
  data["settings"] = shared_settings(runs);
  data["experiments"] = experiments_json(runs);
  for (const RecordedRun& run : runs) data["runs"].push_back(run_json(run));
  return data;
}

}  // namespace driftless
