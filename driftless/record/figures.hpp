#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "driftless/base/statistics.hpp"
#include "driftless/experiment/run.hpp"
#include "driftless/config/sweep_plan.hpp"
#include "driftless/experiment/tune.hpp"

namespace driftless {

class Average {
 public:
  void add(double value) {
    sum_ += value;
    ++count_;
  }
  std::optional<double> mean() const {
    return count_ > 0 ? std::optional(sum_ / count_) : std::nullopt;
  }

 private:
  double sum_ = 0;
  int count_ = 0;
};

// A run in a few numbers, gathered row by row.
class RunFigures {
 public:
  RunFigures() = default;
  RunFigures(Round rounds, std::optional<double> target) : rounds_(rounds), target_(target) {}

  // Of a tuning run, whose score is wanted too.
  RunFigures(Round rounds, std::optional<double> target, const TuneConfig& tune)
      : rounds_(rounds), target_(target), score_(tune) {}

  void add(const Metrics& row);
  void end(const RunResult& result);

  // Where the suboptimality, or the loss if the optimum is not known, came below the target for
  // good: curves need not be monotone, so the first time below says little.
  struct Reached {
    Round round;
    Bytes bytes_total;
    Bytes bytes_busiest;
  };
  const std::optional<Reached>& reached() const { return reached_; }
  std::optional<double> rounds_to_target() const;
  std::optional<double> bytes_to_target() const;

  // Means over the last fifth of the rounds: one row alone is mostly noise.
  std::optional<double> level() const { return level_.mean(); }  // suboptimality, or else loss
  std::optional<double> accuracy() const { return accuracy_.mean(); }  // on the test data
  std::optional<double> worst_accuracy() const { return worst_accuracy_.mean(); }
  bool optimum_known() const { return optimum_known_; }

  std::optional<Outcome> outcome() const { return outcome_; }  // none: the run did not begin
  const std::string& diagnosis() const { return diagnosis_; }  // of a run that diverged
  const std::optional<RunScore>& score() const { return score_; }

 private:
  Round rounds_ = 0;
  std::optional<double> target_;
  std::optional<Reached> reached_;
  bool optimum_known_ = false;
  Average level_;
  Average accuracy_;
  Average worst_accuracy_;
  std::optional<Outcome> outcome_;
  std::string diagnosis_;
  std::optional<RunScore> score_;
};

using RunFigure = std::optional<double> (RunFigures::*)() const;

// Over the runs that have the figure; none when no run has.
std::optional<Estimate> estimate_of(std::span<const RunFigures> runs, RunFigure figure);

// The runs of one combination: [begin, end) of the plan.
struct Combination {
  std::size_t begin = 0;
  std::size_t end = 0;
};
std::vector<Combination> combinations_of(const ExperimentPlan& plan);

// The table at the end of a run or a sweep: a line for each combination, over its repetitions.
// Where keys were tuned, `tuned` has the choice for each.
std::string closing_table(const ExperimentPlan& plan, const std::vector<RunFigures>& figures,
                          std::span<const TunedCombination> tuned = {});

std::string readable_bytes(double bytes);  // "1.5 MB"

}  // namespace driftless
