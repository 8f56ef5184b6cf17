#pragma once

#include <optional>

#include "driftless/experiment/metrics.hpp"

namespace driftless {

// Where a figure reached its target for good: the first row that has it. Where rows are sparse, it
// may have been there since soon after the row before.
struct Reached {
  Round round = 0;
  Bytes bytes_total = 0;
  Bytes bytes_busiest = 0;
  Round earliest = 0;      // the first round after the row before
  Bytes fewest_bytes = 0;  // of the row before; bytes_total where there is no round between

  bool is_exact() const { return earliest == round; }
};

// Finds it row by row. Curves need not be monotone, so the first time at the target says little:
// what counts is from when on the figure stays there.
class TargetWatch {
 public:
  explicit TargetWatch(double target, bool highest = false) : target_(target), highest_(highest) {}

  void add(double figure, const Metrics& row) {
    const bool there = highest_ ? figure >= target_ : figure <= target_;
    if (!there) {
      reached_.reset();
    } else if (!reached_) {
      reached_ = {row.round, row.bytes_total, row.bytes_busiest, next_round_, bytes_before_};
      if (reached_->is_exact()) reached_->fewest_bytes = row.bytes_total;
    }
    next_round_ = row.round + 1;
    bytes_before_ = row.bytes_total;
  }
  const std::optional<Reached>& reached() const { return reached_; }

 private:
  double target_;
  bool highest_;
  Round next_round_ = 0;  // after the newest row
  Bytes bytes_before_ = 0;
  std::optional<Reached> reached_;
};

}  // namespace driftless
