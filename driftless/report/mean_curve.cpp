#include "driftless/report/mean_curve.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <queue>

#include "driftless/base/statistics.hpp"
#include "driftless/experiment/metrics.hpp"

namespace driftless {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// For each run its row of every round that all have.
std::vector<std::vector<std::size_t>> common_rows(std::span<const RecordedRun* const> runs) {
  std::vector<std::vector<std::size_t>> common(runs.size());
  std::vector<std::size_t> at(runs.size(), 0);
  std::vector<std::size_t> each(runs.size());
  std::iota(each.begin(), each.end(), std::size_t{0});
  for (const Metrics& row : runs.front()->metrics.rows) {
    const auto has_round = [&](std::size_t k) {
      const std::vector<Metrics>& rows = runs[k]->metrics.rows;
      while (at[k] < rows.size() && rows[at[k]].round < row.round) ++at[k];
      return at[k] < rows.size() && rows[at[k]].round == row.round;
    };
    if (!std::ranges::all_of(each, has_round)) continue;
    for (const std::size_t k : each) common[k].push_back(at[k]);
  }
  return common;
}

// A column as it is drawn: on a logarithmic scale where it spans more than a power of ten. From 0
// to 1 over its height; NaN where there is nothing.
std::vector<double> heights(std::vector<double> values) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (double& value : values) {
    if (!std::isfinite(value)) value = nan;
    low = std::fmin(low, value);
    high = std::fmax(high, value);
  }
  if (low > 0 && high > 10 * low) {
    for (double& value : values) value = std::log10(value);
    low = std::log10(low);
    high = std::log10(high);
  }
  for (double& value : values) value = high > low ? (value - low) / (high - low) : value * 0;
  return values;
}

// All lines of a picture of the curve: its means and the edge of its band, which is that of the
// interval or, with few repetitions, where the highest of them is.
std::vector<std::vector<double>> drawn_lines(const MeanCurve& curve) {
  std::vector<std::vector<double>> lines;
  for (std::size_t column = 0; column < curve.mean.size(); ++column) {
    if (metric_columns()[column].is_cost) continue;
    if (std::ranges::all_of(curve.mean[column], [](double v) { return std::isnan(v); })) continue;
    lines.push_back(heights(curve.mean[column]));
    if (curve.repetitions < 2) continue;
    std::vector<double> edge = curve.greatest[column];
    if (curve.repetitions >= fewest_for_an_interval) {
      std::ranges::transform(curve.mean[column], curve.half_width[column], edge.begin(),
                             std::plus());
    }
    lines.push_back(heights(edge));
  }
  return lines;
}

// The rows strictly between two that are drawn, and the one that lies furthest off their line.
struct Gap {
  std::size_t begin;
  std::size_t end;
  std::size_t worst = 0;
  double departure = 0;

  bool operator<(const Gap& other) const { return departure < other.departure; }
};

Gap measured(std::size_t begin, std::size_t end, const std::vector<double>& rounds,
             const std::vector<std::vector<double>>& lines) {
  Gap gap{.begin = begin, .end = end};
  for (const std::vector<double>& line : lines) {
    const double slope = (line[end] - line[begin]) / (rounds[end] - rounds[begin]);
    for (std::size_t row = begin + 1; row < end; ++row) {
      const double drawn = line[begin] + slope * (rounds[row] - rounds[begin]);
      double departure = std::abs(line[row] - drawn);
      // A value beside none begins or ends a line, and must be seen.
      if (std::isnan(departure)) departure = std::isnan(line[row]) ? 0 : 1;
      if (departure > gap.departure) {
        gap.departure = departure;
        gap.worst = row;
      }
    }
  }
  return gap;
}

}  // namespace

MeanCurve mean_curve(std::span<const RecordedRun* const> runs) {
  const auto common = common_rows(runs);
  const std::size_t columns = metric_columns().size();
  const std::size_t rows = common.front().size();
  const std::vector<std::vector<double>> none(columns, std::vector<double>(rows, nan));
  MeanCurve curve{.mean = none,
                  .half_width = none,
                  .least = none,
                  .greatest = none,
                  .repetitions = runs.size()};
  std::vector<double> values(runs.size());
  for (std::size_t column = 0; column < columns; ++column) {
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t k = 0; k < runs.size(); ++k) {
        values[k] = runs[k]->metrics.number(common[k][row], column);
      }
      if (!std::ranges::all_of(values, [](double value) { return std::isfinite(value); })) continue;
      const Estimate found = estimate(values);
      curve.mean[column][row] = found.mean;
      curve.half_width[column][row] = found.half_width.value_or(nan);
      const auto [least, greatest] = std::ranges::minmax(values);
      curve.least[column][row] = least;
      curve.greatest[column][row] = greatest;
    }
  }
  return curve;
}

Thinned thin(const MeanCurve& curve, std::size_t most) {
  constexpr double invisible = 1e-3;
  const std::size_t rows = curve.rows();
  Thinned kept;
  if (rows == 0) return kept;
  const std::vector<double>& rounds = curve.mean.front();
  const std::vector<std::vector<double>> lines = drawn_lines(curve);
  std::map<std::size_t, std::size_t> ranks{{0, 0}};  // rows get them in the order of their need
  if (rows > 1) ranks.emplace(rows - 1, 1);
  std::priority_queue<Gap> gaps;
  gaps.push(measured(0, rows - 1, rounds, lines));
  // A dozen looks at each row are enough where rows split gaps in halves. Curves that are made to
  // take thousands are drawn less well.
  std::size_t looks = std::max<std::size_t>(100 * rows, 20'000'000);
  while (ranks.size() < most && gaps.top().departure > invisible) {
    const Gap gap = gaps.top();
    if (gap.end - gap.begin > looks) break;
    looks -= gap.end - gap.begin;
    gaps.pop();
    ranks.emplace(gap.worst, ranks.size());
    gaps.push(measured(gap.begin, gap.worst, rounds, lines));
    gaps.push(measured(gap.worst, gap.end, rounds, lines));
  }
  kept.departure = gaps.top().departure;
  for (const auto& [row, rank] : ranks) {
    kept.rows.push_back(row);
    kept.ranks.push_back(rank);
  }
  return kept;
}

}  // namespace driftless
