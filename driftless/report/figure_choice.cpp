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

// Columns in which a run that is shown has numbers.
Names columns_of(const Comparison& comparison, const FigureChoice& choice, bool are_costs) {
  Names names;
  for (const MetricColumn& column : metric_columns()) {
    if (column.is_cost != are_costs) continue;
    const bool there = std::ranges::any_of(comparison.groups, [&](const RunGroup& group) {
      return is_shown(group, comparison, choice) &&
             std::ranges::any_of(group.runs, [&](const RecordedRun* run) {
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

// The keys that go by this name: one by its whole name, or those by their last word.
Names keys_called(std::string_view option, std::string_view name, const Comparison& comparison) {
  Names called;
  for (const std::string& key : comparison.keys) {
    if (key == name) return {key};
    if (short_key(key) == name || key.substr(key.rfind('.') + 1) == name) called.push_back(key);
  }
  if (called.size() > 1)
    throw ConfigError("{} {}: that may be {}; give the whole name", option, name,
                      either_of(called));
  return called;
}

Names with_short_names(const Comparison& comparison) {
  Names names = views_of(comparison.keys);
  std::ranges::transform(comparison.keys, std::back_inserter(names), short_key);
  return names;
}

std::string full_key(std::string_view option, const std::string& name,
                     const Comparison& comparison) {
  const Names called = keys_called(option, name, comparison);
  if (!called.empty()) return std::string(called.front());
  throw ConfigError("{} {}: these runs have {}{}", option, name,
                    either_of(views_of(comparison.keys)),
                    suggestion(name, with_short_names(comparison)));
}

Names values_of_key(std::size_t key, const Comparison& comparison) {
  Names values;
  for (const RunGroup& group : comparison.groups) {
    if (std::ranges::find(values, group.values[key]) == values.end())
      values.push_back(group.values[key]);
  }
  return values;
}

Pairs checked_only(const Pairs& only, const Comparison& comparison) {
  Pairs full;
  for (const auto& [name, value] : only) {
    const std::string key = full_key("--only", name, comparison);
    check_name(fmt::format("--only {}", name), value,
               values_of_key(comparison.key_index(key), comparison));
    full[key] = value;
  }
  return full;
}

// Keys by their full names; values and columns as they are called.
Pairs checked_labels(const Pairs& labels, const Comparison& comparison) {
  if (labels.empty()) return {};
  Names others = names_of(metric_columns());
  std::ranges::copy(names_of(run_numbers()), std::back_inserter(others));
  for (std::size_t key = 0; key < comparison.keys.size(); ++key)
    std::ranges::copy(values_of_key(key, comparison), std::back_inserter(others));
  Pairs full;
  for (const auto& [name, text] : labels) {
    const Names keys = keys_called("--label", name, comparison);
    if (keys.empty() && std::ranges::find(others, name) == others.end()) {
      std::ranges::copy(with_short_names(comparison), std::back_inserter(others));
      throw ConfigError("--label {}: these runs have no such value, key or column{}", name,
                        suggestion(name, others));
    }
    full[keys.empty() ? name : std::string(keys.front())] = text;
  }
  return full;
}

// A name, or # and three or six digits.
bool is_colour(std::string_view text) {
  const bool by_digits = text.starts_with('#');
  const std::string_view letters =
      by_digits ? "0123456789abcdefABCDEF" : "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const std::string_view word = text.substr(by_digits ? 1 : 0);
  const bool whole = word.find_first_not_of(letters) == std::string_view::npos;
  return whole && (by_digits ? word.size() == 3 || word.size() == 6 : !word.empty());
}

void check_colours(const Pairs& colours, const Comparison& comparison) {
  Names values;
  for (std::size_t key = 0; key < comparison.keys.size(); ++key)
    std::ranges::copy(values_of_key(key, comparison), std::back_inserter(values));
  for (const auto& [value, colour] : colours) {
    if (std::ranges::find(values, value) == values.end()) {
      throw ConfigError("--colour {}: these runs have no such value{}", value,
                        suggestion(value, values));
    }
    if (is_colour(colour)) continue;
    throw ConfigError("--colour {}={}: expected a colour as CSS names it: red, or #1f77b4", value,
                      colour);
  }
}

// Whether the figure has a place for the group: its value of the key x is a word, or a number
// within the limits.
bool has_place(const RunGroup& group, const Comparison& comparison, const FigureChoice& choice) {
  const std::string& value = group.values[comparison.key_index(choice.x)];
  const double number = parse_number(value).value_or(0);
  const auto [low, high] = choice.x_limits;
  return is_shown(group, comparison, choice) && !value.empty() && number >= low.value_or(number) &&
         number <= high.value_or(number);
}

// The number that is asked for; the level by the name that it has in these runs, if that is one.
std::string checked_number(const FigureChoice& choice, const Comparison& comparison) {
  Names there;  // in some run that has a place
  for (const RunNumber& number : run_numbers()) {
    const auto has_it = [&](const RunGroup& group) {
      return has_place(group, comparison, choice) && !number_of(number, group).values.empty();
    };
    if (std::ranges::any_of(comparison.groups, has_it)) there.push_back(number.name);
  }
  if (there.empty())
    throw ConfigError("--y {}: no run has a number, or none has a place on the axis", choice.y);
  const auto has = [&](std::string_view name) {
    return std::ranges::find(there, name) != there.end();
  };
  if (choice.y == "level" && !has("loss")) return "suboptimality";
  if (choice.y == "level" && !has("suboptimality")) return "loss";
  if (has(choice.y)) return choice.y;
  const RunNumber* const asked = find_or_null(run_numbers(), choice.y);
  if (asked == nullptr) check_name("--y", choice.y, there);
  throw ConfigError("--y {}: {} in any of these runs; they have {}", choice.y, asked->missing(),
                    either_of(there));
}

void check_x_limits(const FigureChoice& choice, const Comparison& comparison) {
  if (choice.x_limits == Limits{}) return;
  for (const std::string_view value : values_of_key(comparison.key_index(choice.x), comparison)) {
    if (!value.empty() && !parse_number(value))
      throw ConfigError("--xlim means nothing with --x {}, which is {} here: no number", choice.x,
                        value);
  }
}

}  // namespace

std::string_view short_key(std::string_view key) {
  return key == "algorithm.kind" ? "method" : key.substr(key.rfind('.') + 1);
}

Pairs parse_pairs(const char* option, const char* expected, std::span<const std::string> texts) {
  Pairs pairs;
  for (const std::string& text : texts) {
    const std::size_t sign = text.find('=');
    if (sign == std::string::npos || sign == 0)
      throw ConfigError("{} {}: expected {}", option, text, expected);
    pairs[text.substr(0, sign)] = text.substr(sign + 1);
  }
  return pairs;
}

Limits parse_limits(const char* option, const std::string& text) {
  if (text.empty()) return {};
  const std::size_t colon = text.find(':');
  const std::string low = text.substr(0, colon);
  const std::string high = colon == std::string::npos ? "" : text.substr(colon + 1);
  const Limits limits = {parse_number(low), parse_number(high)};
  const auto is_wrong = [](const std::string& end, const std::optional<double>& number) {
    return !end.empty() && !(number && std::isfinite(*number));
  };
  const bool wrong = colon == std::string::npos || text == ":" || is_wrong(low, limits[0]) ||
                     is_wrong(high, limits[1]) ||
                     (limits[0] && limits[1] && *limits[0] >= *limits[1]);
  if (!wrong) return limits;
  throw ConfigError("{} {}: expected LOW:HIGH, two numbers of which one may be missing", option,
                    text);
}

FigureChoice checked(FigureChoice choice, const Comparison& comparison) {
  if (!choice.panels.empty() && choice.panels != "none" && choice.panels != "all")
    choice.panels = full_key("--panels", choice.panels, comparison);
  choice.only = checked_only(choice.only, comparison);
  choice.labels = checked_labels(choice.labels, comparison);
  check_colours(choice.colours, comparison);
  const Names metrics = columns_of(comparison, choice, false);
  if (metrics.empty()) {
    throw DataError("these runs have no rows yet: metrics.csv is empty; report them later");
  }
  if (!choice.y.empty()) {
    choice.x = full_key("--x", choice.x, comparison);
    if (choice.x == choice.panels)
      throw ConfigError("--x {} and --panels {}: one key cannot be both", choice.x, choice.x);
    check_x_limits(choice, comparison);
    choice.y = checked_number(choice, comparison);
    return choice;
  }
  if (choice.metric.empty()) {
    const bool known = std::ranges::find(metrics, "suboptimality") != metrics.end();
    choice.metric = known ? "suboptimality" : metrics.front();
  }
  if (choice.against.empty()) choice.against = "round";
  check_name("--metric", choice.metric, metrics);
  check_name("--against", choice.against, columns_of(comparison, choice, true));
  return choice;
}

nlohmann::ordered_json choice_json(const FigureChoice& choice) {
  using Json = nlohmann::ordered_json;
  const auto or_nothing = [](const std::string& text) {
    return text.empty() ? Json(nullptr) : Json(text);
  };
  const auto limits = [](const Limits& ends) {
    return Json::array({or_null(ends[0]), or_null(ends[1])});
  };
  return {{"metric", or_nothing(choice.metric)},
          {"against", or_nothing(choice.against)},
          {"y", or_nothing(choice.y)},
          {"x", or_nothing(choice.x)},
          {"log", or_null(choice.log)},
          {"panels", or_nothing(choice.panels)},
          {"only", choice.only},
          {"colours", choice.colours},
          {"x_limits", limits(choice.x_limits)},
          {"y_limits", limits(choice.y_limits)},
          {"band", or_nothing(choice.band)}};
}

bool is_shown(const RunGroup& group, const Comparison& comparison, const FigureChoice& choice) {
  return std::ranges::all_of(choice.only, [&](const auto& wanted) {
    return group.values[comparison.key_index(wanted.first)] == wanted.second;
  });
}

}  // namespace driftless
