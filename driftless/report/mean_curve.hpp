#pragma once

#include <span>
#include <vector>

#include "driftless/base/statistics.hpp"
#include "driftless/record/recorded_run.hpp"

namespace driftless {
// The rows of several repetitions as one: in every column the mean, half its 95 % interval, and the
// least and the greatest value, in the order of metric_columns(). A row is there when every
// repetition has it, and a number where every repetition has one: a mean over those that are left
// would jump where another one leaves.
struct MeanCurve {
  std::vector<std::vector<double>> mean;        // NaN where there is none
  std::vector<std::vector<double>> half_width;  // NaN also where there is one repetition
  std::vector<std::vector<double>> least;
  std::vector<std::vector<double>> greatest;
  std::size_t repetitions = 0;

  std::size_t rows() const { return mean.front().size(); }
};

MeanCurve mean_curve(std::span<const RecordedRun* const> runs);

// Which rows a picture needs. The line through them leaves none of the others, in no column,
// further away than `departure` of its height.
struct Thinned {
  std::vector<std::size_t> rows;  // ascending; the first and the last among them
  std::vector<std::size_t>
      ranks;  // of these rows: where only m can be drawn, they are those of rank below m
  double departure = 0;
};

// At most `most` rows, and no more than it takes to draw the curve to a thousandth of its height.
Thinned thin(const MeanCurve& curve, std::size_t most);

}  // namespace driftless
