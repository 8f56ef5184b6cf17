#pragma once

#include <cstdint>
#include <span>

#include "driftless/base/types.hpp"
#include "driftless/problem/nn/model.hpp"

// The loss −log softmax(logits)[label] of a batch of samples, logits[b][c]. Logarithms and
// exponentials are taken of differences to the largest logit, in double, so none overflows.
namespace driftless::nn {

// The loss summed over the samples, and how many have their label's logit as the largest; of equal
// ones the first counts.
template <class Real>
Score cross_entropy_forward(std::span<const std::int32_t> labels, Index classes,
                            const Real* logits);

// gradient[b][c] = scale (softmax(logits[b])[c] − [c is the label]), with the scale 1 / batch for
// the mean loss. `gradient` may be `logits`.
template <class Real>
void cross_entropy_backward(std::span<const std::int32_t> labels, Index classes, double scale,
                            const Real* logits, Real* gradient);

}  // namespace driftless::nn
