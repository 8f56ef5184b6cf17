#include "driftless/report/figures.hpp"

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

std::string rounds_text(const std::vector<const RunFigures*>& runs) {
  std::vector<double> rounds;
  for (const RunFigures* run : runs) {
    if (run->reached()) rounds.push_back(static_cast<double>(run->reached()->round));
  }
  if (rounds.empty()) return "not reached";
  std::string mean = fmt::format("{:.0f}", mean_and_spread(rounds).mean);
  if (rounds.size() == runs.size()) return mean;
  return fmt::format("{} (in {} of {})", mean, rounds.size(), runs.size());
}

std::string bytes_text(const std::vector<const RunFigures*>& runs) {
  std::vector<double> bytes;
  for (const RunFigures* run : runs) {
    if (run->reached()) bytes.push_back(static_cast<double>(run->reached()->bytes_total));
  }
  return bytes.empty() ? "" : readable_bytes(mean_and_spread(bytes).mean);
}

using Figure = std::optional<double> (RunFigures::*)() const;

std::vector<double> values_of(const std::vector<const RunFigures*>& runs, Figure figure) {
  std::vector<double> values;
  for (const RunFigures* run : runs) {
    if (const auto value = (run->*figure)()) values.push_back(*value);
  }
  return values;
}

std::string with_spread(const std::vector<double>& values, int digits) {
  const MeanAndSpread figure = mean_and_spread(values);
  if (values.size() == 1) return fmt::format("{:.{}f}", figure.mean, digits);
  return fmt::format("{:.{}f} ± {:.{}f}", figure.mean, digits, figure.deviation, digits);
}

// "diverged", or "diverged (in 1 of 3)"; nothing when no run ended so.
std::string ended_as(const std::vector<const RunFigures*>& runs, std::optional<Outcome> outcome,
                     std::string_view name) {
  const auto count =
      std::ranges::count_if(runs, [&](const RunFigures* run) { return run->outcome() == outcome; });
  if (count == 0) return "";
  if (count == std::ssize(runs)) return std::string(name);
  return fmt::format("{} (in {} of {})", name, count, runs.size());
}

std::string level_text(const std::vector<const RunFigures*>& runs) {
  for (const Outcome outcome : {Outcome::diverged, Outcome::interrupted}) {
    std::string text = ended_as(runs, outcome, name_of(outcome));
    if (!text.empty()) return text;
  }
  if (std::string text = ended_as(runs, std::nullopt, "not run"); !text.empty()) return text;
  const std::vector<double> levels = values_of(runs, &RunFigures::level);
  if (levels.empty()) return "unknown";
  const MeanAndSpread level = mean_and_spread(levels);
  if (!runs.front()->optimum_known()) return with_spread(levels, 3);
  if (levels.size() == 1) return fmt::format("{:.2e}", level.mean);
  return fmt::format("{:.2e} ± {:.1e}", level.mean, level.deviation);
}

// Accuracies, as fractions; nothing where there are none.
std::string accuracy_text(const std::vector<const RunFigures*>& runs, Figure figure) {
  const std::vector<double> accuracies = values_of(runs, figure);
  return accuracies.empty() ? "" : with_spread(accuracies, 3);
}

}  // namespace

void RunFigures::add(const Metrics& row) {
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

MeanAndSpread mean_and_spread(const std::vector<double>& values) {
  MeanAndSpread result;
  const auto count = static_cast<double>(values.size());
  for (const double value : values) result.mean += value / count;
  if (values.size() < 2) return result;
  double squares = 0;
  for (const double value : values) squares += (value - result.mean) * (value - result.mean);
  result.deviation = std::sqrt(squares / (count - 1));
  return result;
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

std::string closing_table(const ExperimentPlan& plan, const std::vector<RunFigures>& figures) {
  const std::vector<std::string> keys =
      plan.varied_keys.empty() ? std::vector<std::string>{"algorithm.kind"} : plan.varied_keys;
  std::vector<Line> lines(1);
  for (const std::string& key : keys) lines.front().push_back(heading_of(key));
  if (plan.target) {
    lines.front().push_back(fmt::format("rounds to {}", *plan.target));
    lines.front().emplace_back("bytes");
  }
  const bool optimum_known = std::ranges::any_of(figures, &RunFigures::optimum_known);
  const auto known = [&](Figure figure) {
    return std::ranges::any_of(figures,
                               [=](const RunFigures& run) { return (run.*figure)().has_value(); });
  };
  lines.front().emplace_back(optimum_known ? "final suboptimality" : "final loss");
  if (known(&RunFigures::accuracy)) lines.front().emplace_back("test accuracy");
  if (known(&RunFigures::worst_accuracy)) lines.front().emplace_back("worst node's");

  for (std::size_t begin = 0; begin < plan.runs.size();) {
    std::size_t end = begin;
    std::vector<const RunFigures*> runs;
    while (end < plan.runs.size() && plan.runs[end].combination == plan.runs[begin].combination) {
      runs.push_back(&figures[end++]);
    }
    Line& line = lines.emplace_back();
    for (std::size_t k = 0; k < keys.size(); ++k) {
      line.push_back(plan.varied_keys.empty() ? plan.runs[begin].config.algorithm.kind
                                              : plan.runs[begin].varied[k].second);
    }
    if (plan.target) {
      line.push_back(rounds_text(runs));
      line.push_back(bytes_text(runs));
    }
    line.push_back(level_text(runs));
    for (const Figure figure : {&RunFigures::accuracy, &RunFigures::worst_accuracy}) {
      if (known(figure)) line.push_back(accuracy_text(runs, figure));
    }
    begin = end;
  }
  return aligned(lines, keys.size());
}

}  // namespace driftless
