#include "driftless/record/closing_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "driftless/base/text.hpp"

namespace driftless {

namespace {

using Line = std::vector<std::string>;

std::string heading_of(std::string_view key) {
  if (key == "algorithm.kind") key = "method";
  return std::string(key.substr(key.rfind('.') + 1));
}

using Runs = std::span<const RunDigest>;

std::string with_interval(const Estimate& figure, const auto& text_of) {
  if (!figure.half_width) return text_of(figure.mean);
  return fmt::format("{} ± {}", text_of(figure.mean), text_of(*figure.half_width));
}

// "51 ± 3", or "51 (in 1 of 3)" where not all got there.
std::string rounds_text(Runs runs) {
  const std::optional<Estimate> rounds = estimate_of(runs, &RunDigest::rounds_to_target);
  if (!rounds) return "not reached";
  std::string text =
      with_interval(*rounds, [](double value) { return fmt::format("{:.0f}", value); });
  if (rounds->n == runs.size()) return text;
  return fmt::format("{} (in {} of {})", text, rounds->n, runs.size());
}

std::string bytes_text(Runs runs) {
  const std::optional<Estimate> bytes = estimate_of(runs, &RunDigest::bytes_to_target);
  return bytes ? with_interval(*bytes, readable_bytes) : "";
}

// "diverged", or "diverged (in 1 of 3)"; nothing when no run ended so.
std::string ended_as(Runs runs, std::optional<Outcome> outcome, std::string_view name) {
  const auto count =
      std::ranges::count_if(runs, [&](const RunDigest& run) { return run.outcome() == outcome; });
  if (count == 0) return "";
  if (count == std::ssize(runs)) return std::string(name);
  return fmt::format("{} (in {} of {})", name, count, runs.size());
}

std::string three_decimals(double value) { return fmt::format("{:.3f}", value); }

std::string level_text(Runs runs) {
  for (const Outcome outcome : {Outcome::diverged, Outcome::interrupted}) {
    std::string text = ended_as(runs, outcome, name_of(outcome));
    if (!text.empty()) return text;
  }
  if (std::string text = ended_as(runs, std::nullopt, "not run"); !text.empty()) return text;
  const std::optional<Estimate> level = estimate_of(runs, &RunDigest::level);
  if (!level) return "unknown";
  if (!runs.front().optimum_known()) return with_interval(*level, three_decimals);
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

// Accuracies, as fractions; nothing where there are none.
std::string accuracy_text(Runs runs, DigestNumber number) {
  const std::optional<Estimate> accuracy = estimate_of(runs, number);
  return accuracy ? with_interval(*accuracy, three_decimals) : "";
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

// Which columns the table has.
struct Shape {
  std::vector<std::string> keys;  // that name the combinations; none varied: the method
  bool optimum_known = false;
  bool accuracy = false;
  bool worst_accuracy = false;
};

Shape shape_of(const ExperimentPlan& plan, const Results& results) {
  Shape shape;
  shape.keys =
      plan.varied_keys.empty() ? std::vector<std::string>{"algorithm.kind"} : plan.varied_keys;
  for (const CombinationResult& combination : results) {
    for (const RunDigest& run : combination.runs) {
      shape.optimum_known = shape.optimum_known || run.optimum_known();
      shape.accuracy = shape.accuracy || run.accuracy();
      shape.worst_accuracy = shape.worst_accuracy || run.worst_accuracy();
    }
  }
  return shape;
}

Line heading(const ExperimentPlan& plan, const Shape& shape) {
  Line line;
  for (const std::string& key : shape.keys) line.push_back(heading_of(key));
  if (plan.tuning) {
    for (const std::string& key : plan.tuning->keys) line.push_back(heading_of(key));
  }
  if (plan.target) {
    line.push_back(fmt::format("rounds to {}", *plan.target));
    line.emplace_back("bytes");
  }
  line.emplace_back(shape.optimum_known ? "final suboptimality" : "final loss");
  if (shape.accuracy) line.emplace_back("test accuracy");
  if (shape.worst_accuracy) line.emplace_back("worst node's");
  return line;
}

Line line_of(const CombinationResult& result, const ExperimentPlan& plan, const Shape& shape) {
  const Combination& combination = *result.plan;
  Line line;
  if (plan.varied_keys.empty()) {
    line.push_back(combination.runs.front().config.algorithm.kind);
  } else {
    for (const auto& [key, value] : combination.varied) line.push_back(value);
  }
  if (plan.tuning) {
    for (std::size_t k = 0; k < plan.tuning->keys.size(); ++k)
      line.push_back(chosen_text(*plan.tuning, k, result));
  }
  if (plan.target) {
    line.push_back(rounds_text(result.runs));
    line.push_back(bytes_text(result.runs));
  }
  line.push_back(level_text(result.runs));
  if (shape.accuracy) line.push_back(accuracy_text(result.runs, &RunDigest::accuracy));
  if (shape.worst_accuracy) line.push_back(accuracy_text(result.runs, &RunDigest::worst_accuracy));
  return line;
}

}  // namespace

std::string closing_table(const ExperimentPlan& plan, const Results& results) {
  const Shape shape = shape_of(plan, results);
  std::vector<Line> lines{heading(plan, shape)};
  for (const CombinationResult& result : results) lines.push_back(line_of(result, plan, shape));
  return aligned(lines, shape.keys.size());
}

}  // namespace driftless
