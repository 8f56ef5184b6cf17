#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>

#include "driftless/report/comparison.hpp"

namespace driftless {

// What a figure shows, or what a page shows first.
struct FigureChoice {
  std::string metric{};       // a column; empty: the suboptimality, or else the loss
  std::string against{};      // a column that is a cost; empty: the rounds
  std::optional<bool> log{};  // of the vertical scale; unset: as suits the metric
  std::string panels{};  // a key with a panel for each value, "all" keys or "none"; empty: as suits
  std::map<std::string, std::string> only{};  // groups with these values of these keys
};

// "key=value" as --only takes it. Throws ConfigError.
std::map<std::string, std::string> parse_only(std::span<const std::string> texts);

// The choice with its columns filled in and its keys in full: they may be given as tables call
// them, `kind` or `method`. Throws ConfigError where the runs have no such column, key or value,
// with those that they have, and where a short name may be several keys.
FigureChoice checked(FigureChoice choice, const Comparison& comparison);

bool is_shown(const RunGroup& group, const Comparison& comparison, const FigureChoice& choice);

}  // namespace driftless
