#include "driftless/report/figure_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "driftless/base/error.hpp"
#include "driftless/base/named.hpp"
#include "driftless/base/text.hpp"
#include "driftless/experiment/metrics.hpp"
#include "driftless/record/summary_file.hpp"
#include "driftless/report/run_number.hpp"

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
                    did_you_mean(nearest_names(name, names)));
}

// As figures and tables call it: "local_rate" for "algorithm.local_rate".
std::string_view short_name(std::string_view key) {
  return key == "algorithm.kind" ? "method" : key.substr(key.rfind('.') + 1);
}

// By its whole name, or by its last word where no other key has the same.
std::string full_key(std::string_view option, const std::string& name,
                     const Comparison& comparison) {
  Names meant;
  Names known = views_of(comparison.keys);
  if (std::ranges::find(known, name) != known.end()) return name;
  for (const std::string& key : comparison.keys) {
    known.push_back(short_name(key));
    if (short_name(key) == name || key.ends_with("." + name)) meant.push_back(key);
  }
  if (meant.size() == 1) return std::string(meant.front());
  if (meant.size() > 1)
    throw ConfigError("{} {}: may be {}; give the whole name", option, name, either_of(meant));
  throw ConfigError("{} {}: these runs have {}{}", option, name,
                    either_of(views_of(comparison.keys)), did_you_mean(nearest_names(name, known)));
}

Only with_full_keys(const Only& only, const Comparison& comparison) {
  Only full;
  for (const auto& [name, value] : only) {
    const std::string key = full_key("--only", name, comparison);
    Names values;
    for (const RunGroup& group : comparison.groups) {
      const std::string& found = group.values[comparison.key_index(key)];
      if (std::ranges::find(values, found) == values.end()) values.push_back(found);
    }
    check_name(fmt::format("--only {}", key), value, values);
    full[key] = value;
  }
  return full;
}

void check_number(const FigureChoice& choice, const Comparison& comparison) {
  const std::size_t key = comparison.key_index(choice.x);
  Names there;  // in some run that is shown
  for (const RunNumber& number : run_numbers()) {
    const auto has_it = [&](const RunGroup& group) {
      return is_shown(group, comparison, choice) && !group.values[key].empty() &&
             !number_of(number, group).values.empty();
    };
    if (std::ranges::any_of(comparison.groups, has_it)) there.push_back(number.name);
  }
  const RunNumber* const asked = find_or_null(run_numbers(), choice.y);
  if (asked == nullptr || there.empty()) check_name("--y", choice.y, there);
  if (std::ranges::find(there, choice.y) != there.end()) return;
  throw ConfigError("--y {}: {} in any of these runs; they have {}", choice.y, asked->missing,
                    either_of(there));
}

}  // namespace

Only parse_only(std::span<const std::string> texts) {
  Only only;
  for (const std::string& text : texts) {
    const std::size_t sign = text.find('=');
    if (sign == std::string::npos) {
      throw ConfigError("--only {}: expected KEY=VALUE, as in --only algorithm.kind=k-gt", text);
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
  if (!choice.panels.empty() && choice.panels != "none" && choice.panels != "all")
    choice.panels = full_key("--panels", choice.panels, comparison);
  choice.only = with_full_keys(choice.only, comparison);
  if (!choice.y.empty()) {
    choice.x = full_key("--x", choice.x, comparison);
    if (choice.x == choice.panels)
      throw ConfigError("--x {} and --panels {}: one key cannot be both", choice.x, choice.x);
    check_number(choice, comparison);
    return choice;
  }
  if (choice.metric.empty()) {
    const bool known = std::ranges::find(metrics, "suboptimality") != metrics.end();
    choice.metric = known ? "suboptimality" : metrics.front();
  }
  if (choice.against.empty()) choice.against = "round";
  check_name("--metric", choice.metric, metrics);
  check_name("--against", choice.against, columns_of(comparison, true));
  return choice;
}

nlohmann::ordered_json choice_json(const FigureChoice& choice) {
  using Json = nlohmann::ordered_json;
  const auto or_nothing = [](const std::string& text) {
    return text.empty() ? Json(nullptr) : Json(text);
  };
  return {{"metric", or_nothing(choice.metric)},
          {"against", or_nothing(choice.against)},
          {"y", or_nothing(choice.y)},
          {"x", or_nothing(choice.x)},
          {"log", or_null(choice.log)},
          {"panels", or_nothing(choice.panels)},
          {"only", choice.only}};
}

bool is_shown(const RunGroup& group, const Comparison& comparison, const FigureChoice& choice) {
  return std::ranges::all_of(choice.only, [&](const auto& wanted) {
    return group.values[comparison.key_index(wanted.first)] == wanted.second;
  });
}

}  // namespace driftless
