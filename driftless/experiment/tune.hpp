#pragma once

#include <optional>
#include <span>
#include <vector>

#include "driftless/base/statistics.hpp"
#include "driftless/config/plan.hpp"
#include "driftless/experiment/run.hpp"
#include "driftless/experiment/target.hpp"

namespace driftless {

// How tuning runs can end, from best to worst.
enum class Standing { scored, not_reached, diverged, not_run };
template <>
inline constexpr auto values_of<Standing> =
    std::to_array<Named<Standing>>({{Standing::scored, "finished"},
                                    {Standing::not_reached, "not reached"},
                                    {Standing::diverged, "diverged"},
                                    {Standing::not_run, "not run"}});

// One tuning run, judged row by row as [tune] says. Throws a ConfigError at a row that lacks the
// metric.
class RunScore {
 public:
  explicit RunScore(const TuneConfig& tune);

  void add(const Metrics& row);
  void end(Outcome outcome) { outcome_ = outcome; }

  Standing standing() const;
  double value() const;     // of a run that is scored: the metric, or rounds or bytes to the target
  double earliest() const;  // of a run that is scored: the value, or what sparse rows leave open
  double last() const { return values_.back(); }  // the metric in the last row

 private:
  TuneConfig tune_;
  const MetricColumn* metric_;
  bool highest_;
  bool to_target_;  // rounds or bytes are counted
  std::optional<Outcome> outcome_;
  std::vector<double> values_;
  std::optional<TargetWatch> watch_;
};

// A candidate, over its repetitions: as bad as the worst of them.
struct CandidateScore {
  Standing standing = Standing::not_run;
  std::optional<Estimate> score;  // of a candidate that is scored
  double last = 0;                // mean of the last rows; decides between equal scores
  // The least that rounds or bytes to the target may be, where sparse rows leave them open.
  std::optional<double> earliest = {};
};
CandidateScore score_of(std::span<const RunScore> repetitions);

// The best of a combination's candidates: the best score; of equal ones, and where none reached the
// target, the best value in the last row; then the first. None where all diverged, or where one was
// not run.
std::optional<std::size_t> best_of(std::span<const CandidateScore> candidates,
                                   const TuneConfig& tune);

}  // namespace driftless
