#include "driftless/report/met_weathers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <unordered_map>

#include "driftless/base/error.hpp"
#include "driftless/base/parallel.hpp"
#include "driftless/base/text.hpp"
#include "driftless/config/key.hpp"
#include "driftless/experiment/prepared_network.hpp"
#include "driftless/graph/families.hpp"
#include "driftless/record/outputs.hpp"
#include "driftless/report/weather_ribbon.hpp"

namespace driftless {
namespace {

using Json = nlohmann::ordered_json;

// A weather that runs met.
struct Met {
  const RecordedRun* run = nullptr;  // of those with the first seed, the one that got furthest
  const RunGroup* group = nullptr;   // the first one
  std::vector<std::size_t> groups = {};
  std::vector<std::string> seeds = {};
};

bool is_of_weather(std::string_view key) {
  return key.starts_with("network.") || key.starts_with("faults.");
}

// Whether chance takes something down, and whether anything does.
bool draws_outages(const RecordedRun& run) {
  return std::ranges::any_of(
      std::array{"faults.drop", "faults.pause", "faults.crash"},
      [&](const char* key) { return parse_number(run.setting(key)).value_or(0) > 0; });
}
bool has_outages(const RecordedRun& run) {
  return !run.setting("faults.trace").empty() || draws_outages(run);
}

Round rounds_of(const RecordedRun& run) {
  return run.metrics.rows.empty() ? 0 : run.metrics.rows.back().round;
}

// All that decides on the weather but its seed.
std::string weather_text(const RecordedRun& run) {
  std::string text = fmt::format("{}\n", run.metrics.rows.front().members.value_or(0));
  for (const auto& [key, value] : run.settings)
    if (is_of_weather(key) && key != "faults.seed") text += fmt::format("{}={}\n", key, value);
  return text;
}

std::vector<Met> weathers_met(const Comparison& comparison) {
  std::vector<Met> weathers;
  std::unordered_map<std::string, std::size_t> known;
  for (std::size_t g = 0; g < comparison.groups.size(); ++g) {
    for (const RecordedRun* run : comparison.groups[g].runs) {
      if (rounds_of(*run) <= 0 || !has_outages(*run)) continue;
      const auto [place, is_new] = known.emplace(weather_text(*run), weathers.size());
      if (is_new) weathers.push_back({.run = run, .group = &comparison.groups[g]});
      Met& met = weathers[place->second];
      const std::string seed = draws_outages(*run) ? run->setting("faults.seed") : "";
      if (std::ranges::find(met.seeds, seed) == met.seeds.end()) met.seeds.push_back(seed);
      if (met.groups.empty() || met.groups.back() != g) met.groups.push_back(g);
      if (seed == met.seeds.front() && rounds_of(*run) > rounds_of(*met.run)) met.run = run;
    }
  }
  return weathers;
}

// The sections [network] and [faults] of the run's config.
ExperimentConfig config_of(const RecordedRun& run) {
  ExperimentConfig config;
  config.network.nodes.reset();
  for (const auto& [name, text] : run.settings) {
    if (!is_of_weather(name)) continue;
    const Key* key = find_key(name);
    if (key == nullptr) throw ConfigError("{}", unknown_key(name));
    Value value = text;
    if (const auto integer = parse_integer(text); integer && key->type == Option::Type::integer)
      value = *integer;
    if (const auto number = parse_number(text); number && key->type == Option::Type::number)
      value = *number;
    throw_if_faulty(*key, value);
    key->assign(config, key->names_files() ? Value((run.folder / text).string()) : value);
  }
  return config;
}

// A file says how many nodes there are where the config does not; then the run has told it.
std::optional<NodeId> nodes_of(const RecordedRun& run, const NetworkConfig& network) {
  if (network.nodes) return network.nodes;
  const Metrics& first = run.metrics.rows.front();
  if (first.round == 0 && first.members && *first.members >= 1 && *first.members <= max_nodes)
    return static_cast<NodeId>(*first.members);
  return std::nullopt;
}

// About how many links the network has in a round, before they are made.
double links_about(const NetworkConfig& network, NodeId nodes) {
  const double n = nodes;
  if (!network.file.empty()) {
    constexpr double line = 4;  // bytes, at least
    std::error_code missing;    // is told by who reads the file
    const auto bytes = static_cast<double>(std::filesystem::file_size(network.file, missing));
    return missing ? 0 : bytes / line;
  }
  if (network.names_sequence()) return n * network.peers.value_or(1) / 2;
  const TopologyOptions asked = resolve_topology(network.topology_options(nodes));
  if (asked.degree) return n * *asked.degree / 2;
  if (asked.edge_probability) return *asked.edge_probability * n * n / 2;
  if (asked.radius)
    return std::min(1.0, std::numbers::pi * *asked.radius * *asked.radius) * n * n / 2;
  const bool cliques = asked.family == "complete" || asked.family == "barbell";
  return cliques ? n * n / 2 : n * std::log2(n + 1);
}

void check_files(const RecordedRun& run, const ExperimentConfig& config) {
  const FileSums read = recorded_sums(run.summary, "inputs");
  for (const auto& [key, file] : {std::pair("network.file", config.network.file),
                                  std::pair("faults.trace", config.faults.trace)}) {
    const auto then = read.find(fmt::format("{} {}", key, file.filename().string()));
    if (then != read.end() && sum_of_file(file) != then->second)
      throw DataError("{}: has changed since the run", file.string());
  }
}

WeatherRibbon ribbon_of(const RecordedRun& run, const RibbonRoom& room) {
  const ExperimentConfig config = config_of(run);
  check_files(run, config);
  const std::optional<NodeId> nodes = nodes_of(run, config.network);
  if (!nodes && config.network.file.empty())
    throw DataError("nothing tells how many nodes there are");
  if (links_about(config.network, nodes.value_or(1)) + nodes.value_or(1) > 3e6)
    throw DataError("the network is too large to go through it here");
  const auto links = links_of(config.network, nodes, "the run has other nodes");
  const Trace trace =
      config.faults.trace.empty() ? Trace() : read_trace(config.faults.trace, links->nodes());
  return weather_ribbon(links, config.faults, trace, run.metrics.rows, room);
}

Json ribbon_json(const WeatherRibbon& ribbon) {
  Json json = {{"nodes", ribbon.nodes},         {"rounds", ribbon.rounds},
               {"looked_at", ribbon.looked_at}, {"nodes_out", ribbon.nodes_out},
               {"links_down", Json::array()},   {"lines", Json::array()}};
  for (const double share : ribbon.links_down)
    json["links_down"].push_back(std::round(1000 * share) / 1000);
  for (const RibbonLine& line : ribbon.lines) {
    json["lines"].push_back(
        {{"node", line.node}, {"paused", line.paused}, {"lost", line.lost}, {"joins", line.joins}});
  }
  return json;
}

// What tells the weather from the others, without the faults that it does not have.
Json values_json(const Comparison& comparison, const RunGroup& group) {
  Json values = Json::array();
  for (std::size_t k = 0; k < comparison.keys.size(); ++k) {
    const std::string& name = comparison.keys[k];
    const std::string& value = group.values[k];
    const Key* key = find_key(name);
    if (!is_of_weather(name) || value.empty() || key == nullptr) continue;
    const bool fair =
        key->section() == "faults" && key->fallback && plain_text(*key->fallback) == value;
    if (!fair) values.push_back({name, value});
  }
  return values;
}

}  // namespace

Json weathers_json(const Comparison& comparison) {
  constexpr std::size_t most_ribbons = 12;
  constexpr double all_draws = 8e7;
  const std::vector<Met> weathers = weathers_met(comparison);
  std::vector<Json> each(weathers.size());
  const std::size_t ribbons = std::min(weathers.size(), most_ribbons);
  const double draws = std::min(RibbonRoom{}.draws, all_draws / std::max<double>(1, ribbons));
  parallel(std::ssize(each), [&](Index index) {
    const auto k = static_cast<std::size_t>(index);
    try {
      if (k >= ribbons) throw DataError("the page has ribbons of {} weathers alone", ribbons);
      each[k]["ribbon"] = ribbon_json(ribbon_of(*weathers[k].run, {.draws = draws}));
    } catch (const std::exception& error) {
      each[k]["fault"] = error.what();
    }
  });
  for (std::size_t k = 0; k < weathers.size(); ++k) {
    const Met& met = weathers[k];
    each[k]["values"] = values_json(comparison, *met.group);
    each[k]["rounds"] = rounds_of(*met.run);
    each[k]["seed"] = met.seeds.front();
    each[k]["seeds"] = met.seeds.size();
    each[k]["groups"] = met.groups;
  }
  return each;
}

}  // namespace driftless
