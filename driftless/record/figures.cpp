#include "driftless/record/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace driftless {

namespace {

using Line = std::vector<std::string>;

// Columns as wide as their widest field; the first `left` of them aligned to the left.
std::string aligned(const std::vector<Line>& lines, std::size_t left) {
  // Letters, not bytes: the fields hold UTF-8.
  const auto width_of = [](const std::string& text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
  };
  std::vector<std::size_t> widths(lines.front().size(), 0);
  for (const Line& line : lines) {
    for (std::size_t k = 0; k < line.size(); ++k)
      widths[k] = std::max(widths[k], width_of(line[k]));
  }
  std::string text;
  for (const Line& line : lines) {
    for (std::size_t k = 0; k < line.size(); ++k) {
      const std::string padding(widths[k] - width_of(line[k]), ' ');
      text += k == 0 ? "" : "  ";
      text += k < left ? line[k] + padding : padding + line[k];
    }
    while (text.ends_with(' ')) text.pop_back();
    text += '\n';
  }
  return text;
}

std::string heading_of(std::string_view key) {
  if (key == "algorithm.kind") key = "method";
  return std::string(key.substr(key.rfind('.') + 1));
}

using Runs = std::span<const RunFigures>;

std::string with_interval(const Estimate& figure, const auto& text_of) {
  if (!figure.half_width) return text_of(figure.mean);
  return fmt::format("{} ± {}", text_of(figure.mean), text_of(*figure.half_width));
}

// "51 ± 3", or "51 (in 1 of 3)" where not all got there.
std::string rounds_text(Runs runs) {
  const std::optional<Estimate> rounds = estimate_of(runs, &RunFigures::rounds_to_target);
  if (!rounds) return "not reached";
  std::string text =
      with_interval(*rounds, [](double value) { return fmt::format("{:.0f}", value); });
  if (rounds->n == runs.size()) return text;
  return fmt::format("{} (in {} of {})", text, rounds->n, runs.size());
}

std::string bytes_text(Runs runs) {
  const std::optional<Estimate> bytes = estimate_of(runs, &RunFigures::bytes_to_target);
  return bytes ? with_interval(*bytes, readable_bytes) : "";
}

// "diverged", or "diverged (in 1 of 3)"; nothing when no run ended so.
std::string ended_as(Runs runs, std::optional<Outcome> outcome, std::string_view name) {
  const auto count =
      std::ranges::count_if(runs, [&](const RunFigures& run) { return run.outcome() == outcome; });
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
  const std::optional<Estimate> level = estimate_of(runs, &RunFigures::level);
  if (!level) return "unknown";
  if (!runs.front().optimum_known()) return with_interval(*level, three_decimals);
  if (!level->half_width) return fmt::format("{:.2e}", level->mean);
  return fmt::format("{:.2e} ± {:.1e}", level->mean, *level->half_width);
}

// "0.1", or "0.5 (edge)" at the end of its values.
std::string chosen_text(const TunePlan& tuning, std::size_t key, std::optional<std::size_t> point) {
  if (!point) return "none";
  const std::vector<std::string> edges = keys_at_edge(tuning, *point);
  const bool edge = std::ranges::find(edges, tuning.keys[key]) != edges.end();
  return fmt::format("{}{}", tuning.grid[*point][key], edge ? " (edge)" : "");
}

// Accuracies, as fractions; nothing where there are none.
std::string accuracy_text(Runs runs, RunFigure figure) {
  const std::optional<Estimate> accuracy = estimate_of(runs, figure);
  return accuracy ? with_interval(*accuracy, three_decimals) : "";
}

}  // namespace

void RunFigures::end(const RunResult& result) {
  outcome_ = result.outcome;
  diagnosis_ = result.diagnosis;
  if (score_) score_->end(result.outcome);
}

void RunFigures::add(const Metrics& row) {
  if (score_) score_->add(row);
  optimum_known_ = row.suboptimality.has_value();
  const double gap = row.suboptimality.value_or(row.loss);
  if (target_) {
    if (!(gap <= *target_)) {
      reached_.reset();
    } else if (!reached_) {
      reached_ = {row.round, row.bytes_total, row.bytes_busiest};
    }
  }
  if (5 * row.round < 4 * rounds_) return;
  level_.add(gap);
  if (row.test_accuracy) accuracy_.add(*row.test_accuracy);
  if (row.worst_node_accuracy) worst_accuracy_.add(*row.worst_node_accuracy);
}

std::optional<double> RunFigures::rounds_to_target() const {
  return reached_ ? std::optional(static_cast<double>(reached_->round)) : std::nullopt;
}

std::optional<double> RunFigures::bytes_to_target() const {
  return reached_ ? std::optional(static_cast<double>(reached_->bytes_total)) : std::nullopt;
}

std::optional<Estimate> estimate_of(std::span<const RunFigures> runs, RunFigure figure) {
  std::vector<double> values;
  for (const RunFigures& run : runs) {
    const std::optional<double> value = (run.*figure)();
    if (value && std::isfinite(*value)) values.push_back(*value);
  }
  return values.empty() ? std::nullopt : std::optional(estimate(values));
}

std::vector<Combination> combinations_of(const ExperimentPlan& plan) {
  std::vector<Combination> found;
  for (std::size_t k = 0; k < plan.runs.size(); ++k) {
    if (k == 0 || plan.runs[k].combination != plan.runs[k - 1].combination) found.push_back({k, k});
    found.back().end = k + 1;
  }
  return found;
}

std::string readable_bytes(double bytes) {
  constexpr std::array units{"B", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  while (bytes >= 999.5 && unit + 1 < units.size()) {
    bytes /= 1000;
    ++unit;
  }
  return unit == 0 ? fmt::format("{:.0f} B", bytes) : fmt::format("{:.3g} {}", bytes, units[unit]);
}

std::string closing_table(const ExperimentPlan& plan, const std::vector<RunFigures>& figures,
                          std::span<const TunedCombination> tuned) {
  const std::vector<std::string> keys =
      plan.varied_keys.empty() ? std::vector<std::string>{"algorithm.kind"} : plan.varied_keys;
  std::vector<Line> lines(1);
  for (const std::string& key : keys) lines.front().push_back(heading_of(key));
  if (plan.tuning) {
    for (const std::string& key : plan.tuning->keys) lines.front().push_back(heading_of(key));
  }
  if (plan.target) {
    lines.front().push_back(fmt::format("rounds to {}", *plan.target));
    lines.front().emplace_back("bytes");
  }
  const bool optimum_known = std::ranges::any_of(figures, &RunFigures::optimum_known);
  const auto known = [&](RunFigure figure) {
    return std::ranges::any_of(figures,
                               [=](const RunFigures& run) { return (run.*figure)().has_value(); });
  };
  lines.front().emplace_back(optimum_known ? "final suboptimality" : "final loss");
  if (known(&RunFigures::accuracy)) lines.front().emplace_back("test accuracy");
  if (known(&RunFigures::worst_accuracy)) lines.front().emplace_back("worst node's");

  for (const Combination& combination : combinations_of(plan)) {
    const PlannedRun& first = plan.runs[combination.begin];
    const Runs runs = Runs(figures).subspan(combination.begin, combination.end - combination.begin);
    Line& line = lines.emplace_back();
    for (std::size_t k = 0; k < keys.size(); ++k) {
      line.push_back(plan.varied_keys.empty() ? first.config.algorithm.kind
                                              : first.varied[k].second);
    }
    if (plan.tuning) {
      const auto& chosen = tuned[lines.size() - 2].chosen;
      for (std::size_t k = 0; k < plan.tuning->keys.size(); ++k)
        line.push_back(chosen_text(*plan.tuning, k, chosen));
    }
    if (plan.target) {
      line.push_back(rounds_text(runs));
      line.push_back(bytes_text(runs));
    }
    line.push_back(level_text(runs));
    for (const RunFigure figure : {&RunFigures::accuracy, &RunFigures::worst_accuracy}) {
      if (known(figure)) line.push_back(accuracy_text(runs, figure));
    }
  }
  return aligned(lines, keys.size());
}

}  // namespace driftless
