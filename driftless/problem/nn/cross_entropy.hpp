#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include "driftless/base/types.hpp"
#include "driftless/problem/nn/model.hpp"

// The loss −log softmax(logits)[label] of a batch of samples, logits[b][c]. Logarithms and
// exponentials are taken of differences to the largest logit, in double, so none overflows.
namespace driftless::nn {

template <class Real>
double sum_of_exponentials(const Real* logits, Index classes, double largest) {
  double sum = 0;
  for (Index c = 0; c < classes; ++c) sum += std::exp(logits[c] - largest);
  return sum;
}

// probabilities[b][c] = softmax(logits[b])[c]
template <class Real>
void softmax(Index batch, Index classes, const Real* logits, double* probabilities) {
  for (Index b = 0; b < batch; ++b, logits += classes, probabilities += classes) {
    const double largest = *std::max_element(logits, logits + classes);
    const double sum = sum_of_exponentials(logits, classes, largest);
    for (Index c = 0; c < classes; ++c) probabilities[c] = std::exp(logits[c] - largest) / sum;
  }
}

// The loss summed over the samples, and how many have their label's logit as the largest; of equal
// ones the first counts.
template <class Real>
Score cross_entropy_forward(std::span<const std::int32_t> labels, Index classes,
                            const Real* logits) {
  Score score;
  for (const std::int32_t label : labels) {
    const Real* largest = std::max_element(logits, logits + classes);
    score.loss += std::log(sum_of_exponentials(logits, classes, *largest)) +
                  (static_cast<double>(*largest) - logits[label]);
    if (largest - logits == label) ++score.correct;
    logits += classes;
  }
  return score;
}

// gradient[b][c] = scale (softmax(logits[b])[c] − [c is the label]), with the scale 1 / batch for
// the mean loss. `gradient` may be `logits`.
template <class Real>
void cross_entropy_backward(std::span<const std::int32_t> labels, Index classes, double scale,
                            const Real* logits, Real* gradient) {
  for (const std::int32_t label : labels) {
    const double largest = *std::max_element(logits, logits + classes);
    const double of_each = scale / sum_of_exponentials(logits, classes, largest);
    for (Index c = 0; c < classes; ++c) {
      const double probability = of_each * std::exp(logits[c] - largest);
      gradient[c] = static_cast<Real>(c == label ? probability - scale : probability);
    }
    logits += classes;
    gradient += classes;
  }
}

}  // namespace driftless::nn
