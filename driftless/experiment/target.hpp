#pragma once

#include <optional>

#include "driftless/experiment/metrics.hpp"

namespace driftless {

// Where a figure reached its target for good.
struct Reached {
  Round round = 0;
  Bytes bytes_total = 0;
  Bytes bytes_busiest = 0;
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
      reached_ = {row.round, row.bytes_total, row.bytes_busiest};
    }
  }
  const std::optional<Reached>& reached() const { return reached_; }

 private:
  double target_;
  bool highest_;
  std::optional<Reached> reached_;
};

}  // namespace driftless
