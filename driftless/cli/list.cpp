#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "driftless/algorithm/registry.hpp"
#include "driftless/base/text.hpp"
#include "driftless/cli/commands.hpp"
#include "driftless/config/key.hpp"
#include "driftless/data/split.hpp"
#include "driftless/experiment/metrics.hpp"
#include "driftless/graph/families.hpp"
#include "driftless/graph/weights.hpp"
#include "driftless/problem/registry.hpp"

namespace driftless {
namespace {

using nlohmann::ordered_json;

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

// "d2, led" or, where that is shorter, "not led"; empty: always.
std::string applies_to(const Key& key) {
  if (key.conditions.empty()) return "";
  const auto& [selector, values] = key.conditions.back();
  std::vector<std::string> others;
  for (const std::string& choice : find_key(selector)->choices) {
    if (std::ranges::count(values, choice) == 0) others.push_back(choice);
  }
  return others.size() < values.size() ? fmt::format("not {}", fmt::join(others, ", "))
                                       : fmt::format("{}", fmt::join(values, ", "));
}

// The value of a key that is not given; empty: it has none.
std::string default_of(const Key& key) {
  if (key.required) return "required";
  const auto value = key.value_in(ExperimentConfig{});
  return value ? toml_literal(*value) : "";
}

// Kinds and topologies have lists of their own.
bool lists_choices(const Key& key) {
  return !key.choices.empty() && key.name != "algorithm.kind" && key.name != "network.topology";
}

std::string description(const Key& key) {
  std::string text = key.doc;
  const std::string value = default_of(key);
  if (!value.empty()) text += key.required ? " (required)" : fmt::format(" (default {})", value);
  if (lists_choices(key)) text += fmt::format("; {}", fmt::join(key.choices, ", "));
  const std::string where = applies_to(key);
  return where.empty() ? text : fmt::format("{} [{}]", text, where);
}

void print_all() {
  fmt::print("algorithms (algorithm.kind), with the vectors that a round sends\n");
  for (const AlgorithmKind& kind : algorithm_kinds()) {
    const std::string title = kind.title == kind.name ? "" : kind.title + ": ";
    entry(kind.name, fmt::format("{}{} [{}]", title, kind.summary, cost(kind)));
  }
  heading("problems (problem.kind)");
  for (const ProblemKind& kind : problem_kinds()) entry(kind.name, kind.summary);
  heading("splits of the data (problem.split)");
  for (const auto& split : values_of<Split>) entry(split.name, split.description);
  heading("topologies (network.topology)");
  for (const GraphFamily& family : graph_families()) entry(family.name, family.description);
  heading("weights (network.weights)");
  for (const auto& weights : values_of<Weights>) entry(weights.name, weights.description);
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

// "≥ 1, ≤ 10"
std::string bounds(const Key& key) {
  std::string text;
  if (key.lower) text = fmt::format("{} {}", key.above_lower ? ">" : "≥", *key.lower);
  if (key.upper && *key.upper < std::numeric_limits<int>::max())
    text += fmt::format("{}≤ {}", text.empty() ? "" : ", ", *key.upper);
  return text;
}

// A cell of a table in Markdown.
std::string cell(std::string text) {
  for (std::size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2)) {
    text.insert(at, 1, '\\');
  }
  return text;
}

std::string meaning(const Key& key) {
  if (key.choices.empty()) return cell(key.doc);
  return fmt::format("{}: `{}`", cell(key.doc), fmt::join(key.choices, "`, `"));
}

std::string restrictions(const Key& key) {
  std::string text = applies_to(key);
  const auto add = [&](std::string_view more) {
    text += fmt::format("{}{}", text.empty() ? "" : "; ", more);
  };
  if (key.replacement) {
    add(fmt::format("without `{}{}`", key.replacement->option, key.replacement->suffix));
  }
  if (!key.sweepable) add("not swept");
  return text;
}

// The tables of keys as docs/config.md has them.
void print_tables() {
  for (const std::string_view section : config_sections()) {
    fmt::print("**`[{}]`**\n\n| key | meaning | default | bounds | applies to |\n", section);
    fmt::print("|---|---|---|---|---|\n");
    for (const Key& key : config_keys()) {
      if (key.section() != section) continue;
      fmt::print("| `{}` | {} | {} | {} | {} |\n", key.short_name(), meaning(key), default_of(key),
                 bounds(key), restrictions(key));
    }
    fmt::print("\n");
  }
}

// For programs: which kinds there are, and what each takes.
void print_json() {
  ordered_json all;
  for (const AlgorithmKind& kind : algorithm_kinds()) {
    all["algorithms"].push_back({{"name", kind.name},
                                 {"title", kind.title},
                                 {"summary", kind.summary},
                                 {"vectors_an_edge", kind.vectors_an_edge},
                                 {"vectors_a_server", kind.vectors_a_server},
                                 {"local_steps", kind.local_steps},
                                 {"communication_rate", kind.communication_rate},
                                 {"own_options", names_of(kind.own)}});
  }
  for (const ProblemKind& kind : problem_kinds()) {
    all["problems"].push_back({{"name", kind.name},
                               {"summary", kind.summary},
                               {"learns", kind.learns},
                               {"options", names_of(kind.options)}});
  }
  for (const GraphFamily& family : graph_families()) all["topologies"].push_back(family.name);
  for (const Key& key : config_keys()) {
    all["keys"].push_back({{"name", key.name},
                           {"doc", key.doc},
                           {"default", default_of(key)},
                           {"choices", key.choices},
                           {"applies_to", applies_to(key)}});
  }
  for (const MetricColumn& column : metric_columns()) {
    all["columns"].push_back({{"name", column.name}, {"meaning", column.meaning}});
  }
  fmt::print("{}\n", all.dump(2));
}

}  // namespace

void add_list_command(CLI::App& app) {
  CLI::App* list = app.add_subcommand(
      "list", "Show algorithms, problems, topologies, config keys and metrics, a line each");
  const auto format = std::make_shared<std::string>("text");
  list->add_option("--format", *format,
                   "text (default); json, for programs; markdown, the keys alone")
      ->check(CLI::IsMember({"text", "json", "markdown"}));
  list->callback([format] {
    if (*format == "json") return print_json();
    if (*format == "markdown") return print_tables();
    print_all();
  });
}

}  // namespace driftless
