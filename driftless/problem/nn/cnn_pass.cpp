#include "driftless/problem/nn/cnn_pass.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <memory>

// Vectors of unknown length cannot be kept in arrays.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "driftless/problem/nn/cnn_pass.cpp"
#include <hwy/foreach_target.h>
//
#include "driftless/problem/nn/cnn_layers-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace driftless::cnn::HWY_NAMESPACE {

// body(place among the parameters, channel, place in its padded kernel)
template <class Body>
HWY_INLINE void for_each_weight2(const Body& body) {
  int flat = 0;
  for (int channel = 0; channel < channels2; ++channel) {
    for (int plane = 0; plane < channels1; ++plane) {
      for (int tap = 0; tap < kernel; ++tap, ++flat) {
        body(flat, channel, tap / taps * tap_row + tap % taps * channels1 + plane);
      }
    }
  }
}

void pack_parameters(const float* x, Workspace& work) {
  for_each_weight2([&](int flat, int channel, int padded) {
    work.weights2[channel][padded] = x[weights2 + flat];
  });
  for (int o = 0; o < hidden; ++o) {
    for (int k = 0; k < features; ++k) work.weights3[k][o] = x[weights3 + o * features + k];
  }
  std::memcpy(work.bias3, x + bias3, hidden * sizeof(float));
  for (int k = 0; k < classes; ++k) {
    std::memcpy(work.weights4[k], x + weights4 + k * hidden, hidden * sizeof(float));
  }
}

void unpack_gradient(const PaddedGradient& from, float* g) {
  for (int row = 0; row < channels1 * taps; ++row) {
    std::memcpy(g + weights1 + row * taps, &from.weights1[0][0] + row * kernel_stride,
                taps * sizeof(float));
  }
  std::memcpy(g + bias1, from.bias1, sizeof from.bias1);
  for_each_weight2([&](int flat, int channel, int padded) {
    g[weights2 + flat] = from.weights2[channel][padded];
  });
  std::memcpy(g + bias2, from.bias2, sizeof from.bias2);
  for (int o = 0; o < hidden; ++o) {
    for (int k = 0; k < features; ++k) g[weights3 + o * features + k] = from.weights3[k][o];
  }
  std::memcpy(g + bias3, from.bias3, hidden * sizeof(float));
  for (int k = 0; k < classes; ++k) {
    std::memcpy(g + weights4 + k * hidden, from.weights4[k], hidden * sizeof(float));
  }
  std::memcpy(g + bias4, from.bias4, sizeof from.bias4);
}

void keep_channels(ChannelMask mask, Workspace& work) {
  work.kept_count = 0;
  for (int c = 0; c < channels2; ++c) {
    work.kept[work.kept_count] = c;
    work.kept_count += static_cast<int>(mask >> c & 1U);
  }
}

void forward(const Images& images, SampleId sample, const float* x, Workspace& work) {
  const float scale = static_cast<float>(1 / (255 * images.deviation));
  const float shift = static_cast<float>(-images.mean / images.deviation);
  load_image(images[sample], scale, shift, work.image);
  layer1_forward(x, work);
  layer2_forward(x, work);
  dense_forward(x, work);
}

// The loss, and its slopes times `weight`.
float cross_entropy(const float* logits, int label, float weight, float* slopes) {
  const float greatest = *std::max_element(logits, logits + classes);
  float sum = 0;
  for (int k = 0; k < classes; ++k) sum += slopes[k] = std::exp(logits[k] - greatest);
  for (int k = 0; k < classes; ++k) slopes[k] *= weight / sum;
  slopes[label] -= weight;
  return greatest + std::log(sum) - logits[label];
}

double batch_gradient(const Dataset& data, std::span<const SampleId> samples, const float* x,
                      const ChannelMask* masks, float* g, Workspace& work) {
  pack_parameters(x, work);
  std::memset(&work.gradient, 0, sizeof work.gradient);
  keep_channels(~ChannelMask{0}, work);
  work.multiplier = masks == nullptr ? 1.0F : 2.0F;
  const float weight = 1.0F / static_cast<float>(samples.size());
  double loss = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (masks != nullptr) keep_channels(masks[i], work);
    forward(*data.images(), samples[i], x, work);
    loss += cross_entropy(work.logits, data.labels[samples[i]], weight, work.logit_slopes);
    dense_backward(work);
    layer2_backward(work);
    layer1_backward(work);
  }
  unpack_gradient(work.gradient, g);
  return loss / static_cast<double>(samples.size());
}

Score batch_score(const Dataset& data, std::span<const SampleId> samples, const float* x,
                  Workspace& work) {
  pack_parameters(x, work);
  keep_channels(~ChannelMask{0}, work);
  work.multiplier = 1;
  Score score;
  for (const SampleId sample : samples) {
    forward(*data.images(), sample, x, work);
    const int label = data.labels[sample];
    score.loss += cross_entropy(work.logits, label, 0, work.logit_slopes);
    score.correct += std::max_element(work.logits, work.logits + classes) - work.logits == label;
  }
  return score;
}

}  // namespace driftless::cnn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "driftless/base/dispatch.hpp"

namespace driftless::cnn {

HWY_EXPORT(batch_gradient);
HWY_EXPORT(batch_score);

namespace {

Workspace& workspace() {
  thread_local const std::unique_ptr<Workspace> mine = std::make_unique<Workspace>();
  return *mine;
}

}  // namespace

double gradient(const Dataset& data, std::span<const SampleId> samples, const float* x,
                const ChannelMask* masks, float* gradient) {
  return DRIFTLESS_DISPATCH(batch_gradient)(data, samples, x, masks, gradient, workspace());
}

Score score(const Dataset& data, std::span<const SampleId> samples, const float* x) {
  return DRIFTLESS_DISPATCH(batch_score)(data, samples, x, workspace());
}

}  // namespace driftless::cnn
#endif
