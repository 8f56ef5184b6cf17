#include "driftless/experiment/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "driftless/base/error.hpp"
#include "driftless/base/text.hpp"

namespace driftless {

std::string_view name_of(Standing standing) {
  switch (standing) {
    case Standing::scored:
      return "finished";
    case Standing::not_reached:
      return "not reached";
    case Standing::diverged:
      return "diverged";
    case Standing::not_run:
      return "not run";
  }
  return "unknown";
}

RunScore::RunScore(const TuneConfig& tune)
    : tune_(tune),
      metric_(&*std::ranges::find(metric_columns(), *tune.metric, &MetricColumn::name)),
      highest_(*tune.direction == "max"),
      to_target_(tune.read->ends_with("_to_target")) {}

void RunScore::add(const Metrics& row) {
  const std::string text = metric_->text(row);
  if (text.empty()) {
    throw ConfigError(fmt::format(
        "tune.metric = \"{}\": there is no such figure here, since {}; choose another",
        metric_->name, row.train_loss ? "there are no test data" : "the problem does not tell it"));
  }
  values_.push_back(parse_number(text).value_or(NAN));
  if (!to_target_) return;
  const double value = values_.back();
  if (!(value == *tune_.target || better(value, *tune_.target))) {
    reached_.reset();
  } else if (!reached_) {
    reached_ = static_cast<double>(*tune_.read == "rounds_to_target" ? row.round : row.bytes_total);
  }
}

void RunScore::end(Outcome outcome) { outcome_ = outcome; }

Standing RunScore::standing() const {
  if (!outcome_ || *outcome_ == Outcome::interrupted) return Standing::not_run;
  if (*outcome_ == Outcome::diverged || !std::isfinite(last())) return Standing::diverged;
  return to_target_ && !reached_ ? Standing::not_reached : Standing::scored;
}

double RunScore::value() const {
  if (to_target_) return *reached_;
  if (*tune_.read == "best") {
    return highest_ ? std::ranges::max(values_) : std::ranges::min(values_);
  }
  const auto wanted = static_cast<std::size_t>(*tune_.read == "mean" ? *tune_.evaluations : 1);
  const auto count = std::min(wanted, values_.size());
  return std::accumulate(values_.end() - static_cast<std::ptrdiff_t>(count), values_.end(), 0.0) /
         static_cast<double>(count);
}

namespace {

PointScore judge(std::span<const RunScore> repetitions) {
  PointScore point{.standing = Standing::scored, .score = {}, .last = 0};
  for (const RunScore& run : repetitions) point.standing = std::max(point.standing, run.standing());
  if (point.standing > Standing::not_reached) return point;
  for (const RunScore& run : repetitions)
    point.last += run.last() / static_cast<double>(repetitions.size());
  if (point.standing != Standing::scored) return point;
  std::vector<double> values;
  for (const RunScore& run : repetitions) values.push_back(run.value());
  point.score = estimate(values);
  return point;
}

}  // namespace

std::vector<TunedCombination> choose(const TunePlan& plan, std::span<const RunScore> scores) {
  const bool highest = *plan.config.direction == "max";
  const bool to_target = plan.config.read->ends_with("_to_target");
  // Smaller is better in every place.
  const auto rank = [&](const PointScore& point) {
    const double value = point.score ? point.score->mean : point.last;
    const bool turned = highest && !(to_target && point.score);
    return std::pair(point.standing, turned ? -value : value);
  };
  const auto repetitions = static_cast<std::size_t>(*plan.config.repetitions);
  const std::size_t runs_each = plan.grid.size() * repetitions;
  std::vector<TunedCombination> combinations(plan.runs.size() / runs_each);
  for (std::size_t c = 0; c < combinations.size(); ++c) {
    TunedCombination& combination = combinations[c];
    for (std::size_t point = 0; point < plan.grid.size(); ++point) {
      combination.points.push_back(
          judge(scores.subspan(c * runs_each + point * repetitions, repetitions)));
    }
    const auto best = std::ranges::min_element(combination.points, {}, rank);
    const bool complete = std::ranges::none_of(combination.points, [](const PointScore& point) {
      return point.standing == Standing::not_run;
    });
    if (complete && best->standing != Standing::diverged) {
      combination.chosen = static_cast<std::size_t>(best - combination.points.begin());
    }
  }
  return combinations;
}

void apply_choice(std::span<const std::optional<std::size_t>> chosen, ExperimentPlan& plan) {
  const TunePlan& tuning = *plan.tuning;
  const auto final_runs = static_cast<std::size_t>(plan.repetitions);
  const auto repetitions = static_cast<std::size_t>(*tuning.config.repetitions);
  for (std::size_t k = 0; k < plan.runs.size(); ++k) {
    const std::size_t combination = k / final_runs;
    if (!chosen[combination]) continue;
    const std::size_t point = combination * tuning.grid.size() + *chosen[combination];
    const ExperimentConfig& best = tuning.runs[point * repetitions].config;
    plan.runs[k].config.algorithm = best.algorithm;
    plan.runs[k].config.schedule = best.schedule;
  }
}

std::vector<std::string> keys_at_edge(const TunePlan& plan, std::size_t point) {
  std::vector<std::string> keys;
  for (std::size_t k = 0; k < plan.keys.size(); ++k) {
    const std::optional<double> own = parse_number(plan.grid[point][k]);
    if (!own) continue;  // a word
    bool smaller = false;
    bool greater = false;
    for (const auto& other : plan.grid) {
      const double value = parse_number(other[k]).value_or(*own);
      smaller = smaller || value < *own;
      greater = greater || value > *own;
    }
    if (smaller != greater) keys.push_back(plan.keys[k]);
  }
  return keys;
}

}  // namespace driftless
