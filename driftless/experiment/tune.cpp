#include "driftless/experiment/tune.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "driftless/base/error.hpp"

namespace driftless {

RunScore::RunScore(const TuneConfig& tune)
    : tune_(tune),
      metric_(find_metric(*tune.metric)),
      highest_(*tune.direction == "max"),
      to_target_(tune.read->ends_with("_to_target")) {
  if (to_target_) watch_.emplace(*tune.target, highest_);
}

void RunScore::add(const Metrics& row) {
  if (metric_->text(row).empty()) {
    throw ConfigError(
        "tune.metric = \"{}\": there is no such figure here, since {}; choose another",
        metric_->name, row.train_loss ? "there are no test data" : "the problem does not tell it");
  }
  values_.push_back(metric_->number(row));
  if (watch_) watch_->add(values_.back(), row);
}

Standing RunScore::standing() const {
  if (!outcome_ || *outcome_ == Outcome::interrupted) return Standing::not_run;
  if (*outcome_ == Outcome::diverged || !std::isfinite(last())) return Standing::diverged;
  return to_target_ && !watch_->reached() ? Standing::not_reached : Standing::scored;
}

double RunScore::value() const {
  if (to_target_) {
    const Reached& reached = *watch_->reached();
    return static_cast<double>(*tune_.read == "rounds_to_target" ? reached.round
                                                                 : reached.bytes_total);
  }
  if (*tune_.read == "best") {
    return highest_ ? std::ranges::max(values_) : std::ranges::min(values_);
  }
  const auto wanted = static_cast<std::size_t>(*tune_.read == "mean" ? *tune_.evaluations : 1);
  const auto count = std::min(wanted, values_.size());
  return std::accumulate(values_.end() - static_cast<std::ptrdiff_t>(count), values_.end(), 0.0) /
         static_cast<double>(count);
}

double RunScore::earliest() const {
  if (!to_target_) return value();
  const Reached& reached = *watch_->reached();
  return static_cast<double>(*tune_.read == "rounds_to_target" ? reached.earliest
                                                               : reached.fewest_bytes);
}

CandidateScore score_of(std::span<const RunScore> repetitions) {
  CandidateScore candidate{.standing = Standing::scored, .score = {}};
  for (const RunScore& run : repetitions)
    candidate.standing = std::max(candidate.standing, run.standing());
  if (candidate.standing > Standing::not_reached) return candidate;
  for (const RunScore& run : repetitions)
    candidate.last += run.last() / static_cast<double>(repetitions.size());
  if (candidate.standing != Standing::scored) return candidate;
  std::vector<double> values;
  for (const RunScore& run : repetitions) values.push_back(run.value());
  candidate.score = estimate(values);
  const auto is_open = [](const RunScore& run) { return run.earliest() < run.value(); };
  if (std::ranges::any_of(repetitions, is_open)) {
    const auto earliest = [](const RunScore& run) { return run.earliest(); };
    candidate.earliest = earliest(std::ranges::min(repetitions, {}, earliest));
  }
  return candidate;
}

std::optional<std::size_t> best_of(std::span<const CandidateScore> candidates,
                                   const TuneConfig& tune) {
  const bool highest = *tune.direction == "max";
  const bool to_target = tune.read->ends_with("_to_target");
  // Smaller is better in every place.
  const auto rank = [&](const CandidateScore& candidate) {
    const double last = highest ? -candidate.last : candidate.last;
    if (!candidate.score) return std::tuple(candidate.standing, 0.0, last);
    const double score = candidate.score->mean;
    return std::tuple(candidate.standing, highest && !to_target ? -score : score, last);
  };
  const auto not_run = [](const CandidateScore& each) {
    return each.standing == Standing::not_run;
  };
  if (std::ranges::any_of(candidates, not_run)) return std::nullopt;
  const auto best = std::ranges::min_element(candidates, {}, rank);
  if (best == candidates.end() || best->standing == Standing::diverged) return std::nullopt;
  return static_cast<std::size_t>(best - candidates.begin());
}

}  // namespace driftless
