#include <fmt/format.h>

#include <algorithm>

#include "driftless/algorithm/registry.hpp"
#include "driftless/cli/commands.hpp"
#include "driftless/config/key.hpp"
#include "driftless/data/split.hpp"
#include "driftless/experiment/metrics.hpp"
#include "driftless/graph/families.hpp"
#include "driftless/graph/weights.hpp"
#include "driftless/problem/registry.hpp"

namespace driftless {

namespace {

void heading(std::string_view text) { fmt::print("\n{}\n", text); }
void entry(std::string_view name, std::string_view text) {
  fmt::print("  {:<22} {}\n", name, text);
}

// "2 an edge", "1 a server link", or both.
std::string cost(const AlgorithmKind& kind) {
  std::string text;
  if (kind.vectors_an_edge > 0) text = fmt::format("{} an edge", kind.vectors_an_edge);
  if (kind.vectors_a_server > 0) {
    text +=
        fmt::format("{}{} a link to the server", text.empty() ? "" : ", ", kind.vectors_a_server);
  }
  return text;
}

// " [d2, led]" or, where that is shorter, " [not led]".
std::string applies_to(const Key& key) {
  const auto& [selector, values] = key.conditions.back();
  std::vector<std::string> others;
  for (const std::string& choice : find_key(selector)->choices) {
    if (std::ranges::count(values, choice) == 0) others.push_back(choice);
  }
  return others.size() < values.size() ? fmt::format(" [not {}]", fmt::join(others, ", "))
                                       : fmt::format(" [{}]", fmt::join(values, ", "));
}

std::string description(const Key& key) {
  const auto value = key.value_in(ExperimentConfig{});
  std::string text = key.doc;
  if (key.required) {
    text += " (required)";
  } else if (value) {
    text += fmt::format(" (default {})", toml_literal(*value));
  }
  if (!key.choices.empty() && key.name != "algorithm.kind" && key.name != "network.topology") {
    text += fmt::format("; {}", fmt::join(key.choices, ", "));
  }
  if (!key.conditions.empty()) text += applies_to(key);
  return text;
}

void print_all() {
  fmt::print("algorithms (algorithm.kind), with the vectors that a round sends\n");
  for (const AlgorithmKind& kind : algorithm_kinds()) {
    entry(kind.name, fmt::format("{} [{}]", kind.summary, cost(kind)));
  }
  heading("problems (problem.kind)");
  for (const ProblemKind& kind : problem_kinds()) entry(kind.name, kind.summary);
  heading("splits of the data (problem.split)");
  for (const SplitEntry& split : split_table()) entry(split.name, split.description);
  heading("topologies (network.topology)");
  for (const GraphFamily& family : graph_families()) entry(family.name, family.description);
  heading("weights (network.weights)");
  for (const WeightsEntry& weights : weights_table()) entry(weights.name, weights.description);
  std::vector<std::string_view> unswept;
  for (const Key& key : config_keys()) {
    if (!key.sweepable) unswept.push_back(key.name);
  }
  heading(fmt::format(
      "keys of a config file: --set key=value overrides each, [sweep] varies all but {}",
      fmt::join(unswept, ", ")));
  for (const Key& key : config_keys()) fmt::print("  {:<29} {}\n", key.name, description(key));
  heading("columns of metrics.csv");
  for (const MetricColumn& column : metric_columns()) entry(column.name, column.meaning);
}

}  // namespace

void add_list_command(CLI::App& app) {
  CLI::App* list = app.add_subcommand(
      "list", "Show algorithms, problems, topologies, config keys and metrics, a line each");
  list->callback(print_all);
}

}  // namespace driftless
