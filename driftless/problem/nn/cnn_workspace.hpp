#pragma once

#include <cstdint>

#include "driftless/problem/nn/cnn_shape.hpp"

namespace driftless::cnn {

// Rows are padded so that vectors of 8 begin where they like and never leave the tensor.
inline constexpr int image_stride = 32;
inline constexpr int stride1 = 16;                     // of the first layer's pooled rows
inline constexpr int plane1 = pooled1 * stride1;       // a channel of them
inline constexpr int kernel_stride = 8;                // of a kernel's rows of taps
inline constexpr int pixel_row = pooled1 * channels1;  // a row of pixels, channels innermost
inline constexpr int tap_row = 56;        // a row of taps of all channels1, which are innermost
inline constexpr int hidden_stride = 56;  // of a row of the hidden layer

// An output of the second layer that pooling keeps and ReLU lets through.
struct LiveOutput {
  std::int32_t feature;  // which of the 320
  std::int32_t place;    // the corner of its patch in by_pixel1
  float value;
  float slope;  // ∂loss/∂(its convolution)
};

// The gradient as it is summed up over samples: padded, dense weights transposed.
struct PaddedGradient {
  alignas(64) float weights1[channels1][taps * kernel_stride];
  alignas(64) float bias1[channels1];
  alignas(64) float weights2[channels2][taps * tap_row];
  alignas(64) float bias2[channels2];
  alignas(64) float weights3[features][hidden_stride];
  alignas(64) float bias3[hidden_stride];
  alignas(64) float weights4[classes][hidden_stride];
  alignas(64) float bias4[classes];
};

// What one thread works in: the parameters as the kernels want them, one sample's activations, and
// the gradient so far. About 270 kB, of which a sample touches what fits the innermost caches.
struct Workspace {
  // Parameters that are not used as they lie in the flat vector.
  alignas(64) float weights2[channels2][taps * tap_row];
  alignas(64) float weights3[features][hidden_stride];
  alignas(64) float bias3[hidden_stride];
  alignas(64) float weights4[classes][hidden_stride];

  // The sample.
  alignas(64) float image[image_side * image_stride + kernel_stride];
  alignas(64) float maps[6][side1 * side1];  // of convolutions, before they are pooled
  alignas(64) float active1[channels1 * plane1 + kernel_stride];
  alignas(64) std::int32_t place1[channels1 * pooled1 * pooled1];    // their places in the image
  alignas(64) float by_pixel1[pooled1 * pixel_row + kernel_stride];  // active1, channels innermost
  alignas(64) float slope1[2][pooled1 * pixel_row + kernel_stride];  // likewise; their sum counts
  LiveOutput live[features + 1];
  int live_count = 0;
  int live_end[channels2];  // of each kept channel's part of the list
  int kept[channels2];      // the channels that dropout keeps
  int kept_count = 0;
  float multiplier = 1;  // of what dropout keeps
  alignas(64) float hidden[hidden_stride];
  float logits[classes];
  float logit_slopes[classes];

  PaddedGradient gradient;
};

}  // namespace driftless::cnn
