#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace driftless {

// How likely a positive sample has a greater score than a negative one, equal scores counting half:
// the area under the ROC curve. NaN where a class is missing or a score is NaN.
double area_under_curve(std::span<const double> scores, const std::vector<bool>& positive);

// Right answers by class.
struct ClassTally {
  std::vector<std::int64_t> samples;  // of each class
  std::vector<std::int64_t> right;    // of these, how many are taken for their class

  // The share of the class's samples that are taken for it; NaN where it has none.
  double recall(int of_class) const;
};

// A sample is taken for the class of its greatest probability, the first of equal ones;
// probabilities[b][classes] are those of the sample with labels[b].
ClassTally tally_of(std::span<const std::int32_t> labels, int classes,
                    std::span<const double> probabilities);

// How well classes are told apart.
struct ClassQuality {
  ClassTally classes = {};
  double area = std::numeric_limits<double>::quiet_NaN();  // under the curve, for two classes
};
ClassQuality quality_of(std::span<const std::int32_t> labels, int classes,
                        std::span<const double> probabilities);

// R² = 1 − (sum of squared errors) / (sum of the targets' squared distances from their mean); NaN
// where all targets are equal. It takes the targets themselves: their sum and the sum of their
// squares would lose all digits where targets lie close together and far from zero.
double r_squared(double squared_errors, std::span<const double> targets);

}  // namespace driftless
