#include "driftless/record/closing_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

namespace driftless {
namespace {

std::string heading_of(std::string_view key) {
  if (key == "algorithm.kind") key = "method";
  return std::string(key.substr(key.rfind('.') + 1));
}

// "diverged", or "diverged (in 1 of 3)" where not all runs did.
std::string in_some(std::string_view text, std::size_t count, const CombinationResult& result) {
  if (count == result.runs.size()) return std::string(text);
  return fmt::format("{} (in {} of {})", text, count, result.runs.size());
}

std::string with_interval(const Estimate& figure, const auto& text_of) {
  if (!figure.half_width) return text_of(figure.mean);
  return fmt::format("{} ± {}", text_of(figure.mean), text_of(*figure.half_width));
}

std::string rounds_text(const CombinationResult& result) {
  const std::optional<Estimate> rounds = estimate_of(result.runs, &RunDigest::rounds_to_target);
  if (!rounds) return "not reached";
  const auto whole = [](double value) { return fmt::format("{:.0f}", value); };
  return in_some(with_interval(*rounds, whole), rounds->n, result);
}

std::string bytes_text(const CombinationResult& result) {
  const std::optional<Estimate> bytes = estimate_of(result.runs, &RunDigest::bytes_to_target);
  return bytes ? with_interval(*bytes, readable_bytes) : "";
}

std::string three_decimals(double value) { return fmt::format("{:.3f}", value); }

std::string level_text(const CombinationResult& result) {
  for (const std::string_view outcome : {"diverged", "interrupted", "not run"}) {
    const auto count = std::ranges::count(result.runs, outcome, &RunDigest::outcome_name);
    if (count > 0) return in_some(outcome, static_cast<std::size_t>(count), result);
  }
  const std::optional<Estimate> level = estimate_of(result.runs, &RunDigest::level);
  if (!level) return "unknown";
  if (!result.runs.front().optimum_known()) return with_interval(*level, three_decimals);
  if (!level->half_width) return fmt::format("{:.2e}", level->mean);
  return fmt::format("{:.2e} ± {:.1e}", level->mean, *level->half_width);
}

// "0.1", or "0.5 (edge)" at the end of its values.
std::string chosen_text(const Tuning& tuning, std::size_t key, const CombinationResult& result) {
  if (!result.chosen) return "none";
  const std::vector<std::string> edges = keys_at_edge(tuning, *result.plan, *result.chosen);
  const bool edge = std::ranges::find(edges, tuning.keys[key]) != edges.end();
  const std::string& value = result.plan->candidates[*result.chosen].values[key];
  return fmt::format("{}{}", value, edge ? " (edge)" : "");
}

}  // namespace

std::string readable_bytes(double bytes) {
  constexpr std::array units{"B", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  while (bytes >= 999.5 && unit + 1 < units.size()) {
    bytes /= 1000;
    ++unit;
  }
  return unit == 0 ? fmt::format("{:.0f} B", bytes) : fmt::format("{:.3g} {}", bytes, units[unit]);
}

namespace {

struct Column {
  std::string heading;
  std::function<std::string(const CombinationResult&)> text;  // of a combination
};

// Columns name the combination by its varied keys, or else by its method, and tell what came of it.
std::vector<Column> columns_of(const ExperimentPlan& plan, const Results& results) {
  std::vector<Column> columns;
  for (std::size_t k = 0; k < plan.varied_keys.size(); ++k) {
    columns.push_back({heading_of(plan.varied_keys[k]),
                       [k](const auto& result) { return result.plan->varied[k].second; }});
  }
  if (columns.empty()) {
    columns.push_back({"method", [](const auto& result) {
                         return result.plan->runs.front().config.algorithm.kind;
                       }});
  }
  for (std::size_t k = 0; plan.tuning && k < plan.tuning->keys.size(); ++k) {
    columns.push_back({heading_of(plan.tuning->keys[k]), [&plan, k](const auto& result) {
                         return chosen_text(*plan.tuning, k, result);
                       }});
  }
  if (plan.target) {
    columns.push_back({fmt::format("rounds to {}", *plan.target), rounds_text});
    columns.push_back({"bytes", bytes_text});
  }
  const bool known = any_run(results, &RunDigest::optimum_known);
  columns.push_back({known ? "final suboptimality" : "final loss", level_text});
  const auto add_accuracy = [&](const char* heading, DigestNumber number) {
    if (!any_run(results, [&](const RunDigest& run) { return (run.*number)().has_value(); }))
      return;
    columns.push_back({heading, [number](const auto& result) {
                         const auto accuracy = estimate_of(result.runs, number);
                         return accuracy ? with_interval(*accuracy, three_decimals) : "";
                       }});
  };
  add_accuracy("test accuracy", &RunDigest::accuracy);
  add_accuracy("worst node's", &RunDigest::worst_accuracy);
  return columns;
}

}  // namespace

std::string closing_table(const ExperimentPlan& plan, const Results& results, std::size_t width) {
  std::vector<std::vector<std::string>> lines(1 + results.size());
  for (const Column& column : columns_of(plan, results)) {
    lines[0].push_back(column.heading);
    for (std::size_t c = 0; c < results.size(); ++c)
      lines[c + 1].push_back(column.text(results[c]));
  }
  return aligned(lines, std::max<std::size_t>(1, plan.varied_keys.size()), width);
}

}  // namespace driftless
