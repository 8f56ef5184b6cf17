#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "driftless/base/statistics.hpp"
#include "driftless/experiment/run.hpp"
#include "driftless/config/sweep_plan.hpp"

namespace driftless {

// How tuning runs can end, from best to worst.
enum class Standing { scored, not_reached, diverged, not_run };
std::string_view name_of(Standing standing);

// One tuning run, judged row by row as [tune] says. Throws a ConfigError at a row that lacks the
// metric.
class RunScore {
 public:
  explicit RunScore(const TuneConfig& tune);

  void add(const Metrics& row);
  void end(Outcome outcome);

  Standing standing() const;
  double value() const;  // of a run that is scored: the metric, or rounds or bytes to the target
  double last() const { return values_.back(); }  // the metric in the last row

 private:
  bool better(double value, double than) const { return highest_ ? value > than : value < than; }

  TuneConfig tune_;
  const MetricColumn* metric_;
  bool highest_;
  bool to_target_;  // rounds or bytes are counted
  std::optional<Outcome> outcome_;
  std::vector<double> values_;
  // Where the metric reached the target for good.
  std::optional<double> reached_;
};

// A point of the grid, over its repetitions: as bad as the worst of them.
struct PointScore {
  Standing standing = Standing::not_run;
  std::optional<Estimate> score;  // of a point that is scored
  double last = 0;                // mean of the last rows; decides where no point is scored
};

// The points of one combination, in the order of the grid.
struct TunedCombination {
  std::vector<PointScore> points;
  // None where every point diverged, or where one was not run.
  std::optional<std::size_t> chosen;
};

// `scores` are those of plan.runs. The best score is chosen; where no point reached the target, the
// best value in the last row; of equals the first in the grid.
std::vector<TunedCombination> choose(const TunePlan& plan, std::span<const RunScore> scores);

// Gives the final runs of each combination the chosen values; `chosen` has a point for each
// combination or none.
void apply_choice(std::span<const std::optional<std::size_t>> chosen, ExperimentPlan& plan);

// The keys whose value at the point is the least or the greatest of several numbers in the grid: a
// wider grid might do better.
std::vector<std::string> keys_at_edge(const TunePlan& plan, std::size_t point);

}  // namespace driftless
