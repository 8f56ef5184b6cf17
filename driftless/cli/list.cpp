#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "driftless/algorithm/registry.hpp"
#include "driftless/base/text.hpp"
#include "driftless/cli/checks.hpp"
#include "driftless/config/key.hpp"
#include "driftless/data/split.hpp"
#include "driftless/experiment/metrics.hpp"
#include "driftless/graph/families.hpp"
#include "driftless/graph/weights.hpp"
#include "driftless/problem/registry.hpp"

namespace driftless {
namespace {

using nlohmann::ordered_json;

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

using Keys = std::vector<const Key*>;

// Those whose full or short name begins so. Throws ConfigError where there are none.
Keys keys_from(std::string_view begun) {
  Keys keys;
  for (const Key& key : config_keys()) {
    if (key.name.starts_with(begun) || key.short_name().starts_with(begun)) keys.push_back(&key);
  }
  if (!keys.empty()) return keys;
  const auto sections = nearest_names(begun, config_sections());
  throw ConfigError("list keys: {}",
                    sections.empty() ? unknown_key(begun) : unknown_section(begun));
}

// What can be listed, alone or with all else.
struct Part {
  struct Entry {
    std::string_view name;
    std::string text;
  };
  std::string_view name;
  std::string_view json_name;
  std::string heading;
  std::vector<Entry> entries;
};

Part part(std::string_view name, std::string_view json_name, std::string heading, const auto& table,
          const auto& text_of) {
  Part made{name, json_name, std::move(heading), {}};
  for (const auto& each : table) made.entries.push_back({each.name, std::string(text_of(each))});
  return made;
}

std::string heading_of_keys() {
  std::vector<std::string_view> unswept;
  for (const Key& key : config_keys()) {
    if (!key.sweepable) unswept.push_back(key.name);
  }
  return fmt::format(
      "keys of a config file: --set key=value overrides each, [sweep] varies all but {}",
      fmt::join(unswept, ", "));
}

std::vector<Part> all_parts(const Keys& keys) {
  const auto its_description = [](const auto& each) { return each.description; };
  std::vector<Part> parts{
      part("methods", "algorithms",
           "algorithms (algorithm.kind), with the vectors that a round sends", algorithm_kinds(),
           [](const AlgorithmKind& kind) {
             const std::string title = kind.title == kind.name ? "" : kind.title + ": ";
             return fmt::format("{}{} [{}]", title, kind.summary, cost(kind));
           }),
      part("problems", "problems", "problems (problem.kind)", problem_kinds(),
           [](const auto& kind) { return kind.summary; }),
      part("splits", "splits", "splits of the data (problem.split)", values_of<Split>,
           its_description),
      part("topologies", "topologies", "topologies (network.topology)", graph_families(),
           its_description),
      part("weights", "weights", "weights (network.weights)", values_of<Weights>, its_description),
      {"keys", "keys", heading_of_keys(), {}},
      part("metrics", "columns", "columns of metrics.csv", metric_columns(),
           [](const auto& column) { return column.meaning; })};
  auto& entries = std::ranges::find(parts, "keys", &Part::name)->entries;
  for (const Key* key : keys) entries.push_back({key->name, description(*key)});
  return parts;
}

void print_text(const std::vector<Part>& parts) {
  for (const Part& part : parts) {
    if (&part != &parts.front()) fmt::print("\n");
    print_wrapped(part.heading + '\n');
    const std::size_t width = part.name == "keys" ? 29 : 22;
    for (const auto& [name, text] : part.entries)
      print_wrapped(fmt::format("  {:<{}} {}\n", name, width, text), width + 3);
  }
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
    const auto& [option, when, subject] = *key.replacement;
    add(subject.empty() ? fmt::format("without `{}`", option) : fmt::format("without {}", subject));
  }
  if (!key.sweepable) add("not swept");
  return text;
}

// The tables of keys as docs/config.md has them.
void print_tables(const std::vector<const Key*>& keys) {
  for (const std::string_view section : config_sections()) {
    if (std::ranges::find(keys, section, &Key::section) == keys.end()) continue;
    fmt::print("**`[{}]`**\n\n| key | meaning | default | bounds | applies to |\n", section);
    fmt::print("|---|---|---|---|---|\n");
    for (const Key* key : keys) {
      if (key->section() != section) continue;
      fmt::print("| `{}` | {} | {} | {} | {} |\n", key->short_name(), meaning(*key),
                 default_of(*key), bounds(*key), restrictions(*key));
    }
    fmt::print("\n");
  }
}

// For programs: which kinds there are, and what each takes.
ordered_json all_json(const Keys& keys) {
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
  all["splits"] = names_of(values_of<Split>);
  all["topologies"] = names_of(graph_families());
  all["weights"] = names_of(values_of<Weights>);
  for (const Key* key : keys) {
    all["keys"].push_back({{"name", key->name},
                           {"doc", key->doc},
                           {"default", default_of(*key)},
                           {"choices", key->choices},
                           {"applies_to", applies_to(*key)}});
  }
  for (const MetricColumn& column : metric_columns()) {
    all["columns"].push_back({{"name", column.name}, {"meaning", column.meaning}});
  }
  return all;
}

struct ListRequest {
  std::string what;   // empty: all
  std::string begun;  // of keys; empty: all
  std::string format = "text";
};

void list(const ListRequest& request) {
  if (!request.begun.empty() && request.what != "keys") {
    throw ConfigError("list {} {}: only keys are chosen by how they begin, as list keys network",
                      request.what, request.begun);
  }
  const Keys keys = keys_from(request.begun);
  if (request.format == "markdown") {
    if (!request.what.empty() && request.what != "keys") {
      throw ConfigError("list {}: --format markdown has the keys alone; leave it out, or list keys",
                        request.what);
    }
    return print_tables(keys);
  }
  std::vector<Part> parts = all_parts(keys);
  std::erase_if(
      parts, [&](const Part& part) { return !request.what.empty() && part.name != request.what; });
  if (request.format == "text") return print_text(parts);
  const ordered_json all = all_json(keys);
  ordered_json chosen;
  for (const Part& part : parts)
    chosen[std::string(part.json_name)] = all[std::string(part.json_name)];
  fmt::print("{}\n", chosen.dump(2));
}

}  // namespace

void add_list_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "list", "Show methods, problems, splits, topologies, weights, config keys and metrics");
  const auto request = std::make_shared<ListRequest>();
  const std::vector<std::string> names = names_of<std::string>(all_parts({}));
  add_option(command, "what", request->what, either_of(views_of(names)) + " (default: all)", "NAME")
      ->check(takes_one_of(names));
  add_option(command, "begun", request->begun,
             "how the keys begin, as network or algorithm.local; a section, most often", "KEY");
  add_option(command, "--format", request->format,
             "text (default); json, for programs; markdown, the keys alone", "NAME")
      ->check(takes_one_of({"text", "json", "markdown"}));
  command->footer("Example: driftless list keys network");
  command->callback([request] { list(*request); });
}

}  // namespace driftless
