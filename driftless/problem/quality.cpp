#include "driftless/problem/quality.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace driftless {

double area_under_curve(std::span<const double> scores, const std::vector<bool>& positive) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  if (std::ranges::any_of(scores, [](double score) { return std::isnan(score); })) return unknown;
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t sample) { return scores[sample]; });
  // Pairs of a positive and a negative sample count two where the positive one is above and one
  // where they are equal, so that all sums are of whole numbers.
  std::int64_t counted = 0;
  std::int64_t positives = 0;
  std::int64_t negatives = 0;
  for (std::size_t begin = 0; begin < order.size();) {
    std::int64_t equal[2] = {};
    std::size_t end = begin;
    for (; end < order.size() && scores[order[end]] == scores[order[begin]]; ++end) {
      ++equal[positive[order[end]] ? 1 : 0];
    }
    counted += equal[1] * (2 * negatives + equal[0]);
    negatives += equal[0];
    positives += equal[1];
    begin = end;
  }
  if (positives == 0 || negatives == 0) return unknown;
  return static_cast<double>(counted) / 2 / static_cast<double>(positives) /
         static_cast<double>(negatives);
}

double ClassTally::recall(int of_class) const {
  const auto c = static_cast<std::size_t>(of_class);
  return static_cast<double>(right[c]) / static_cast<double>(samples[c]);
}

ClassTally tally_of(std::span<const std::int32_t> labels, int classes,
                    std::span<const double> probabilities) {
  const auto width = static_cast<std::size_t>(classes);
  ClassTally tally{std::vector<std::int64_t>(width), std::vector<std::int64_t>(width)};
  for (std::size_t b = 0; b < labels.size(); ++b) {
    const auto of_sample = probabilities.subspan(b * width, width);
    const auto label = static_cast<std::size_t>(labels[b]);
    ++tally.samples[label];
    if (std::ranges::max_element(of_sample) - of_sample.begin() == labels[b]) ++tally.right[label];
  }
  return tally;
}

ClassQuality quality_of(std::span<const std::int32_t> labels, int classes,
                        std::span<const double> probabilities) {
  ClassQuality found{.classes = tally_of(labels, classes, probabilities)};
  if (classes != 2) return found;
  std::vector<double> scores;
  std::vector<bool> positive;
  for (std::size_t b = 0; b < labels.size(); ++b) {
    scores.push_back(probabilities[2 * b + 1]);
    positive.push_back(labels[b] == 1);
  }
  found.area = area_under_curve(scores, positive);
  return found;
}

double r_squared(double squared_errors, std::span<const double> targets) {
  // Distances from the first target are exactly zero where all targets are equal.
  double mean = 0;
  for (const double target : targets) mean += target - targets.front();
  mean /= static_cast<double>(targets.size());
  double squares = 0;
  for (const double target : targets) {
    const double distance = target - targets.front() - mean;
    squares += distance * distance;
  }
  if (!(squares > 0)) return std::numeric_limits<double>::quiet_NaN();
  return 1 - squared_errors / squares;
}

}  // namespace driftless
