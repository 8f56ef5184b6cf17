#pragma once

#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>

#include "driftless/report/comparison.hpp"

namespace driftless {

using Pairs = std::map<std::string, std::string>;
using Limits = std::array<std::optional<double>, 2>;  // of an axis; unset: as suits

// What a figure shows, or what a page shows first.
struct FigureChoice {
  std::string metric{};       // a column; empty: the suboptimality, or else the loss
  std::string against{};      // a column that is a cost; empty: the rounds
  std::optional<bool> log{};  // of the vertical scale; unset: as suits the metric
  std::string panels{};  // a key with a panel for each value, "all" keys or "none"; empty: as suits
  Pairs only{};          // groups with these values of these keys
  std::string y{};       // one of run_numbers() instead of a metric, and then
  std::string x{};       // a key instead of a cost
  Limits x_limits{};
  Limits y_limits{};
  std::string band{};  // interval, range, runs or none; empty: as suits the number of repetitions
  Pairs labels{};      // what to call a value, a key or a column
  Pairs colours{};     // of the lines of values, as CSS writes them
};

// "local_rate" for "algorithm.local_rate", and "method" for "algorithm.kind".
std::string_view short_key(std::string_view key);

// "name=text" each, as --only and --label take them. Throws ConfigError.
Pairs parse_pairs(const char* option, const char* expected, std::span<const std::string> texts);

// "low:high", one of which may be missing, as --ylim takes it. Throws ConfigError.
Limits parse_limits(const char* option, const std::string& text);

// The choice with its columns filled in and its keys in full: they may be given as tables call
// them, `kind` or `method`. Throws ConfigError where the runs have no such column, key or value,
// with those that they have, and where a short name may be several keys.
FigureChoice checked(FigureChoice choice, const Comparison& comparison);

// As page/figure.js and page/summary_figure.js read it; what was not asked for is null.
nlohmann::ordered_json choice_json(const FigureChoice& choice);

bool is_shown(const RunGroup& group, const Comparison& comparison, const FigureChoice& choice);

}  // namespace driftless
