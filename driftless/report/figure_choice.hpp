#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>

#include "driftless/report/comparison.hpp"

namespace driftless {

using Only = std::map<std::string, std::string>;  // a value for each of some keys

// What a figure shows, or what a page shows first.
struct FigureChoice {
  std::string metric{};       // a column; empty: the suboptimality, or else the loss
  std::string against{};      // a column that is a cost; empty: the rounds
  std::optional<bool> log{};  // of the vertical scale; unset: as suits the metric
  std::string panels{};  // a key with a panel for each value, "all" keys or "none"; empty: as suits
  Only only{};           // groups with these values
  std::string y{};       // one of run_numbers() instead of a metric, and then
  std::string x{};       // a key instead of a cost
};

// "key=value" as --only takes it. Throws ConfigError.
Only parse_only(std::span<const std::string> texts);

// The choice with its columns filled in and its keys by their full names. Throws ConfigError where
// the runs have no such column, key or value, with those that they have.
FigureChoice checked(FigureChoice choice, const Comparison& comparison);

// As page/figure.js and page/summary_figure.js read it; what was not asked for is null.
nlohmann::ordered_json choice_json(const FigureChoice& choice);

bool is_shown(const RunGroup& group, const Comparison& comparison, const FigureChoice& choice);

}  // namespace driftless
