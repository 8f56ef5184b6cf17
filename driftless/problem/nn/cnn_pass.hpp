#pragma once

#include <cstdint>
#include <span>

#include "driftless/data/dataset.hpp"
#include "driftless/problem/nn/model.hpp"

namespace driftless::cnn {

// Bit c of a sample's mask: channel c of the second layer is kept.
using ChannelMask = std::uint32_t;

// gradient [21840] ← the gradient of the samples' mean loss at the parameters x [21840]. Without
// masks nothing is dropped. Masks are one a sample, and the channels they keep count twice. Returns
// the mean loss.
double gradient(const Dataset& data, std::span<const SampleId> samples, const float* x,
                const ChannelMask* masks, float* gradient);

// Nothing dropped.
Score score(const Dataset& data, std::span<const SampleId> samples, const float* x);

// logits [b][10] ← those of the samples, nothing dropped.
void logits(const Dataset& data, std::span<const SampleId> samples, const float* x, float* logits);

}  // namespace driftless::cnn
