#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "driftless/base/statistics.hpp"
#include "driftless/experiment/run.hpp"
#include "driftless/experiment/target.hpp"
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
class RunDigest {
 public:
  RunDigest() = default;
  // With [tune], of a tuning run, whose score is wanted too.
  RunDigest(Round rounds, std::optional<double> target, const TuneConfig* tune = nullptr);

  void add(const Metrics& row);
  // `worst_site`: whose own test samples the average model serves worst; empty: all have the same.
  void end(const RunResult& result, std::string worst_site = {});

  // Where the suboptimality, or the loss if the optimum is not known, came below the target for
  // good.
  std::optional<Reached> reached() const { return target_ ? target_->reached() : std::nullopt; }
  std::optional<double> rounds_to_target() const;
  std::optional<double> bytes_to_target() const;

  // Means over the last fifth of the rounds: one row alone is mostly noise.
  std::optional<double> level() const { return level_.mean(); }  // suboptimality, or else loss
  std::optional<double> accuracy() const { return accuracy_.mean(); }            // on the test data
  std::optional<double> node_accuracy() const { return node_accuracy_.mean(); }  // nodes' own
  std::optional<double> worst_accuracy() const { return worst_accuracy_.mean(); }
  std::optional<double> r2() const { return r2_.mean(); }  // on the test data
  bool optimum_known() const { return optimum_known_; }

  // None: the run did not begin, or goes on.
  std::optional<Outcome> outcome() const { return outcome_; }
  std::string_view outcome_name() const;
  const std::string& diagnosis() const { return diagnosis_; }  // of a run that diverged
  const std::string& worst_site() const { return worst_site_; }
  const std::optional<RunScore>& score() const { return score_; }

 private:
  Round rounds_ = 0;
  bool begun_ = false;
  std::optional<TargetWatch> target_;
  bool optimum_known_ = false;
  Average level_;
  Average accuracy_;
  Average node_accuracy_;
  Average worst_accuracy_;
  Average r2_;
  std::optional<Outcome> outcome_;
  std::string diagnosis_;
  std::string worst_site_;
  std::optional<RunScore> score_;
};

// Whether a row counts for the end of a run: it is of the last fifth of the rounds.
inline bool is_late(Round round, Round rounds) { return 5 * round >= 4 * rounds; }

using DigestNumber = std::optional<double> (RunDigest::*)() const;

// The numbers of those runs that have one.
std::vector<double> numbers_of(std::span<const RunDigest> runs, DigestNumber number);

// Over all runs; none when one has no such number: a mean over the others would flatter.
std::optional<Estimate> estimate_of(std::span<const RunDigest> runs, DigestNumber number);

// What came of one combination of a plan.
struct CombinationResult {
  const Combination* plan = nullptr;
  std::vector<CandidateScore> candidates = {};  // one for each; none where nothing is tuned
  std::optional<std::size_t> chosen = {};  // of the candidates; none: there was nothing to choose
  std::vector<RunDigest> runs = {};        // a digest for each of the combination's runs
};

// In the order of the plan's combinations.
using Results = std::vector<CombinationResult>;

bool any_run(const Results& results, const std::function<bool(const RunDigest&)>& is_so);

}  // namespace driftless
