#include "driftless/problem/nn/cnn_pass.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>

#include "driftless/base/simd_targets.hpp"
#include "driftless/problem/nn/cnn_layers.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "driftless/problem/nn/cnn_pass.cpp"
#include <hwy/foreach_target.h>
//
#include "driftless/problem/nn/cnn_backward-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace driftless::cnn::HWY_NAMESPACE {

void forward(const Images& images, SampleId sample, const float* x, Workspace& work) {
  const float scale = static_cast<float>(1 / (255 * images.deviation));
  const float shift = static_cast<float>(-images.mean / images.deviation);
  load_image(images[sample], scale, shift, work);
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
  keep_channels(~ChannelMask{0}, 1, work);
  const float weight = 1.0F / static_cast<float>(samples.size());
  double loss = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (masks != nullptr) keep_channels(masks[i], 2, work);
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
  keep_channels(~ChannelMask{0}, 1, work);
  Score score;
  for (const SampleId sample : samples) {
    forward(*data.images(), sample, x, work);
    const int label = data.labels[sample];
    score.loss += cross_entropy(work.logits, label, 0, work.logit_slopes);
    score.correct += std::max_element(work.logits, work.logits + classes) - work.logits == label;
  }
  return score;
}

void batch_logits(const Dataset& data, std::span<const SampleId> samples, const float* x,
                  float* logits, Workspace& work) {
  pack_parameters(x, work);
  keep_channels(~ChannelMask{0}, 1, work);
  for (const SampleId sample : samples) {
    forward(*data.images(), sample, x, work);
    logits = std::copy_n(work.logits, classes, logits);
  }
}

Layers layers_here() {
  return {load_image,     layer1_forward,  layer2_forward, dense_forward,
          dense_backward, layer2_backward, layer1_backward};
}

}  // namespace driftless::cnn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "driftless/base/dispatch.hpp"

namespace driftless::cnn {

HWY_EXPORT(batch_gradient);
HWY_EXPORT(batch_score);
HWY_EXPORT(batch_logits);
HWY_EXPORT(layers_here);

namespace {

Workspace& workspace() {
  static thread_local const std::unique_ptr<Workspace> mine = std::make_unique<Workspace>();
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

void logits(const Dataset& data, std::span<const SampleId> samples, const float* x, float* logits) {
  DRIFTLESS_DISPATCH(batch_logits)(data, samples, x, logits, workspace());
}

Layers layers() { return DRIFTLESS_DISPATCH(layers_here)(); }

}  // namespace driftless::cnn
#endif
