#include "driftless/problem/nn/cross_entropy.hpp"

#include <algorithm>
#include <cmath>

namespace driftless::nn {

namespace {

template <class Real>
double sum_of_exponentials(const Real* logits, Index classes, double largest) {
  double sum = 0;
  for (Index c = 0; c < classes; ++c) sum += std::exp(logits[c] - largest);
  return sum;
}

}  // namespace

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

template Score cross_entropy_forward(std::span<const std::int32_t>, Index, const float*);
template Score cross_entropy_forward(std::span<const std::int32_t>, Index, const double*);
template void cross_entropy_backward(std::span<const std::int32_t>, Index, double, const float*,
                                     float*);
template void cross_entropy_backward(std::span<const std::int32_t>, Index, double, const double*,
                                     double*);

}  // namespace driftless::nn
