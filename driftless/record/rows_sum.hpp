#pragma once

#include <string_view>
#include <vector>

#include "driftless/base/file_sum.hpp"
#include "driftless/record/metrics_file.hpp"

namespace driftless {

// The sum of those lines of metrics.csv that every continuation of a run keeps: the first line, and
// the rows of every so many rounds. The odd row of a run's last round goes when it gets more
// rounds.
class RowsSum {
 public:
  RowsSum(Round evaluate_every, const std::vector<Metrics>& rows) : every_(evaluate_every) {
    sum_.add(metrics_header());
    for (const Metrics& row : rows) add(row, metrics_line(row));
  }
  void add(const Metrics& row, std::string_view line) {
    if (row.round % every_ == 0) sum_.add(line);
  }
  const FileSum& sum() const { return sum_; }

 private:
  Round every_;
  FileSum sum_;
};

}  // namespace driftless
