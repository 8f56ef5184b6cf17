#pragma once

#include <string_view>
#include <vector>

#include "driftless/base/file_sum.hpp"
#include "driftless/experiment/row_rounds.hpp"
#include "driftless/record/metrics_file.hpp"

namespace driftless {

// The sum of those lines of metrics.csv that every continuation of a run keeps. The odd row of a
// run's last round goes when it gets more rounds.
class RowsSum {
 public:
  RowsSum(const RowRounds& rounds, const std::vector<Metrics>& rows) : rounds_(rounds) {
    sum_.add(metrics_header());
    for (const Metrics& row : rows) add(row, metrics_line(row));
  }
  void add(const Metrics& row, std::string_view line) {
    if (rounds_.stays(row.round)) sum_.add(line);
  }
  const FileSum& sum() const { return sum_; }

 private:
  RowRounds rounds_;
  FileSum sum_;
};

}  // namespace driftless
