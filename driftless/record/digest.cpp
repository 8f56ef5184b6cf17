#include "driftless/record/digest.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace driftless {

RunDigest::RunDigest(Round rounds, std::optional<double> target, const TuneConfig* tune)
    : rounds_(rounds) {
  if (target) target_.emplace(*target);
  if (tune != nullptr) score_.emplace(*tune);
}

void RunDigest::end(const RunResult& result, std::string worst_site) {
  worst_site_ = std::move(worst_site);
  outcome_ = result.outcome;
  diagnosis_ = result.diagnosis;
  if (score_) score_->end(result.outcome);
}

std::string_view RunDigest::outcome_name() const {
  if (outcome_) return name_of(*outcome_);
  return begun_ ? "unfinished" : "not run";
}

void RunDigest::add(const Metrics& row) {
  begun_ = true;
  if (score_) score_->add(row);
  optimum_known_ = row.suboptimality.has_value();
  const double gap = row.suboptimality.value_or(row.loss);
  if (target_) target_->add(gap, row);
  if (!is_late(row.round, rounds_)) return;
  level_.add(gap);
  if (row.test_accuracy) accuracy_.add(*row.test_accuracy);
  if (row.node_accuracy) node_accuracy_.add(*row.node_accuracy);
  if (row.worst_node_accuracy) worst_accuracy_.add(*row.worst_node_accuracy);
  if (row.test_r2) r2_.add(*row.test_r2);
}

std::optional<double> RunDigest::rounds_to_target() const {
  const std::optional<Reached> there = reached();
  return there ? std::optional(static_cast<double>(there->round)) : std::nullopt;
}

std::optional<double> RunDigest::bytes_to_target() const {
  const std::optional<Reached> there = reached();
  return there ? std::optional(static_cast<double>(there->bytes_total)) : std::nullopt;
}

std::vector<double> numbers_of(std::span<const RunDigest> runs, DigestNumber number) {
  std::vector<double> values;
  for (const RunDigest& run : runs) {
    const std::optional<double> value = (run.*number)();
    if (value && std::isfinite(*value)) values.push_back(*value);
  }
  return values;
}

std::optional<Estimate> estimate_of(std::span<const RunDigest> runs, DigestNumber number) {
  const std::vector<double> values = numbers_of(runs, number);
  if (values.empty() || values.size() < runs.size()) return std::nullopt;
  return estimate(values);
}

bool any_run(const Results& results, const std::function<bool(const RunDigest&)>& is_so) {
  return std::ranges::any_of(results, [&](const CombinationResult& result) {
    return std::ranges::any_of(result.runs, is_so);
  });
}

}  // namespace driftless
