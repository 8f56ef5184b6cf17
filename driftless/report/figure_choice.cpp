#include "driftless/report/figure_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "driftless/base/error.hpp"
#include "driftless/base/text.hpp"
#include "driftless/experiment/metrics.hpp"

namespace driftless {
namespace {

using Names = std::vector<std::string_view>;

// Columns in which a run has numbers.
Names columns_of(const Comparison& comparison, bool are_costs) {
  Names names;
  for (const MetricColumn& column : metric_columns()) {
    if (column.is_cost != are_costs) continue;
    const bool there = std::ranges::any_of(comparison.groups, [&](const RunGroup& group) {
      return std::ranges::any_of(group.runs, [&](const RecordedRun* run) {
        return std::ranges::any_of(run->column(column.name),
                                   [](double value) { return std::isfinite(value); });
      });
    });
    if (there) names.push_back(column.name);
  }
  return names;
}

void check_name(std::string_view option, std::string_view name, const Names& names) {
  if (std::ranges::find(names, name) != names.end()) return;
  throw ConfigError("{} {}: these runs have {}{}", option, name, either_of(names),
                    suggestion(name, names));
}

// The key that is called so: by its full name, or as tables and folders call it, by its last part
// and the method's `method`.
std::string resolve_key(std::string_view option, std::string_view name, const Names& keys) {
  if (std::ranges::find(keys, name) != keys.end()) return std::string(name);
  Names meant;
  for (const std::string_view key : keys) {
    const bool is_method = key == "algorithm.kind" && name == "method";
    if (is_method || key.substr(key.rfind('.') + 1) == name) meant.push_back(key);
  }
  if (meant.size() > 1)
    throw ConfigError("{} {}: that may be {}; give the whole name", option, name, either_of(meant));
  if (meant.empty()) check_name(option, name, keys);
  return std::string(meant.front());
}

}  // namespace

std::map<std::string, std::string> parse_only(std::span<const std::string> texts) {
  std::map<std::string, std::string> only;
  for (const std::string& text : texts) {
    const std::size_t sign = text.find('=');
    if (sign == std::string::npos) {
      throw ConfigError("--only {}: expected KEY=VALUE, as in --only kind=k-gt", text);
    }
    only[text.substr(0, sign)] = text.substr(sign + 1);
  }
  return only;
}

FigureChoice checked(FigureChoice choice, const Comparison& comparison) {
  const Names metrics = columns_of(comparison, false);
  if (metrics.empty()) {
    throw DataError("these runs have no rows yet: metrics.csv is empty; report them later");
  }
  if (choice.metric.empty()) {
    const bool known = std::ranges::find(metrics, "suboptimality") != metrics.end();
    choice.metric = known ? "suboptimality" : metrics.front();
  }
  if (choice.against.empty()) choice.against = "round";
  check_name("--metric", choice.metric, metrics);
  check_name("--against", choice.against, columns_of(comparison, true));

  const Names keys(comparison.keys.begin(), comparison.keys.end());
  if (!choice.panels.empty() && choice.panels != "none" && choice.panels != "all")
    choice.panels = resolve_key("--panels", choice.panels, keys);
  std::map<std::string, std::string> only;
  for (const auto& [name, value] : choice.only) {
    const std::string key = resolve_key("--only", name, keys);
    Names values;
    for (const RunGroup& group : comparison.groups) {
      const std::string& found = group.values[comparison.key_index(key)];
      if (std::ranges::find(values, found) == values.end()) values.push_back(found);
    }
    check_name(fmt::format("--only {}", name), value, values);
    only[key] = value;
  }
  choice.only = std::move(only);
  return choice;
}

bool is_shown(const RunGroup& group, const Comparison& comparison, const FigureChoice& choice) {
  return std::ranges::all_of(choice.only, [&](const auto& wanted) {
    return group.values[comparison.key_index(wanted.first)] == wanted.second;
  });
}

}  // namespace driftless
