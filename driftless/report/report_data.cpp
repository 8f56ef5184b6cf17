#include "driftless/report/report_data.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

#include "driftless/base/regular_file.hpp"
#include "driftless/base/text.hpp"
#include "driftless/base/version.hpp"
#include "driftless/config/parse_toml.hpp"
#include "driftless/experiment/metrics.hpp"
#include "driftless/record/summary_file.hpp"
#include "driftless/report/mean_curve.hpp"

namespace driftless {
namespace {

using Json = nlohmann::ordered_json;

// As many digits as a picture shows: they are most of a page's size.
double rounded(double value, int digits) {
  return std::strtod(fmt::format("{:.{}g}", value, digits).c_str(), nullptr);
}

// The columns of the rows that are drawn, without those that are empty.
Json curve_json(const MeanCurve& curve, const Thinned& kept) {
  constexpr int digits_of_costs = 7;
  constexpr int digits_of_figures = 5;
  Json json = {{"ranks", kept.ranks}, {"mean", Json::object()}, {"half_width", Json::object()}};
  for (std::size_t column = 0; column < metric_columns().size(); ++column) {
    const MetricColumn& described = metric_columns()[column];
    const std::string name(described.name);
    const auto add = [&](const char* part, const std::vector<double>& values, int digits) {
      if (std::ranges::all_of(values, [](double value) { return std::isnan(value); })) return;
      Json& drawn = json[part][name] = Json::array();
      for (const std::size_t row : kept.rows) drawn.push_back(rounded(values[row], digits));
    };
    add("mean", curve.mean[column], described.is_cost ? digits_of_costs : digits_of_figures);
    if (!described.is_cost) add("half_width", curve.half_width[column], digits_of_figures);
  }
  return json;
}

Json group_json(const RunGroup& group) {
  const std::span<const RunDigest> runs = group.digests;
  Json json;
  json["values"] = group.values;
  json["runs"] = group.runs.size();
  for (const RecordedRun* run : group.runs) {
    Json& count = json["outcomes"][run->outcome()];
    count = count.is_null() ? 1 : count.get<int>() + 1;
  }
  const auto add = [&](const char* name, DigestNumber number) {
    json[name] = estimate_json(estimate_of(runs, number), "half_width");
  };
  json["target"] = or_null(parse_number(group.runs.front()->setting("run.target")));
  add("rounds_to_target", &RunDigest::rounds_to_target);
  add("bytes_to_target", &RunDigest::bytes_to_target);
  json["level_of"] = runs.front().optimum_known() ? "suboptimality" : "loss";
  add("level", &RunDigest::level);
  add("test_accuracy", &RunDigest::accuracy);
  add("worst_node_accuracy", &RunDigest::worst_accuracy);
  return json;
}

Json groups_json(const Comparison& comparison, Json& thinned) {
  // A page stays quick with so many rows over all its lines.
  constexpr std::size_t rows_of_a_page = 100'000;
  const std::size_t most =
      std::clamp<std::size_t>(rows_of_a_page / comparison.groups.size(), 20, 2'000);
  Json groups = Json::array();
  std::size_t rows = 0;
  std::size_t drawn = 0;
  double departure = 0;
  for (const RunGroup& group : comparison.groups) {
    const MeanCurve curve = mean_curve(group.runs);
    const Thinned kept = thin(curve, most);
    Json& json = groups.emplace_back(group_json(group));
    json["curve"] = curve_json(curve, kept);
    rows += curve.rows();
    drawn += kept.rows.size();
    departure = std::max(departure, kept.departure);
  }
  thinned = {{"rows", rows}, {"drawn", drawn}, {"departure", rounded(departure, 2)}};
  return groups;
}

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
    data["columns"].push_back(
        {{"name", column.name}, {"meaning", column.meaning}, {"is_cost", column.is_cost}});
  }
  data["keys"] = comparison.keys;
  data["axes"] = comparison.axes;
  data["choice"] = choice_json(choice);
  data["groups"] = groups_json(comparison, data["thinned"]);
  data["networks"] = networks_json(runs);
  data["settings"] = shared_settings(runs);
  data["experiments"] = experiments_json(runs);
  for (const RecordedRun& run : runs) data["runs"].push_back(run_json(run));
  return data;
}

}  // namespace driftless
