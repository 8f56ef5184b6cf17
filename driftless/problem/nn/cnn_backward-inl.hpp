// The layers of the CNN backward: from the slopes of the logits to the gradient, adding to that of
// the samples before.

#if defined(DRIFTLESS_CNN_BACKWARD_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef DRIFTLESS_CNN_BACKWARD_INL_HPP
#undef DRIFTLESS_CNN_BACKWARD_INL_HPP
#else
#define DRIFTLESS_CNN_BACKWARD_INL_HPP
#endif

#include <cstdint>
#include <cstring>

#include "driftless/problem/nn/cnn_forward-inl.hpp"

// NOLINTBEGIN(bugprone-implicit-widening-of-multiplication-result)
HWY_BEFORE_NAMESPACE();
namespace driftless::cnn::HWY_NAMESPACE {

// From the slopes of the logits to those of the live outputs, and the gradient of both layers.
HWY_INLINE void dense_backward(Workspace& work) {
  const Tag tag;
  constexpr int vectors = hidden_stride / lanes;
  Vec slope[vectors];
  for (Vec& each : slope) each = hn::Zero(tag);
  for (int k = 0; k < classes; ++k) {
    const Vec of_logit = hn::Set(tag, work.logit_slopes[k]);
    work.gradient.bias4[k] += work.logit_slopes[k];
    DRIFTLESS_UNROLL for (int v = 0; v < vectors; ++v) {
      float* g = work.gradient.weights4[k] + v * lanes;
      hn::Store(hn::MulAdd(of_logit, hn::Load(tag, work.hidden + v * lanes), hn::Load(tag, g)), tag,
                g);
      slope[v] = hn::MulAdd(of_logit, hn::Load(tag, work.weights4[k] + v * lanes), slope[v]);
    }
  }
  DRIFTLESS_UNROLL for (int v = 0; v < vectors; ++v) {
    const auto alive = hn::Gt(hn::Load(tag, work.hidden + v * lanes), hn::Zero(tag));
    slope[v] = hn::IfThenElseZero(alive, slope[v]);
    float* g = work.gradient.bias3 + v * lanes;
    hn::Store(hn::Add(hn::Load(tag, g), slope[v]), tag, g);
  }
  for (int i = 0; i < work.live_count; ++i) {
    LiveOutput& live = work.live[i];
    const Vec value = hn::Set(tag, live.value);
    const float* row = work.weights3[live.feature];
    float* g = work.gradient.weights3[live.feature];
    Vec dot = hn::Zero(tag);
    DRIFTLESS_UNROLL for (int v = 0; v < vectors; ++v) {
      dot = hn::MulAdd(slope[v], hn::Load(tag, row + v * lanes), dot);
      hn::Store(hn::MulAdd(value, slope[v], hn::Load(tag, g + v * lanes)), tag, g + v * lanes);
    }
    live.slope = hn::GetLane(hn::SumOfLanes(tag, dot)) * work.multiplier;
  }
}

// by_pixel1 [12][12][10] ← active1, channels innermost.
HWY_INLINE void gather_pixels(Workspace& work) {
  for (int c = 0; c < channels1; ++c) {
    for (int y = 0; y < pooled1; ++y) {
      const float* row = work.active1 + c * plane1 + y * stride1;
      float* out = work.by_pixel1 + y * pooled1 * channels1 + c;
      DRIFTLESS_UNROLL for (int x = 0; x < pooled1; ++x) out[x * channels1] = row[x];
    }
  }
}

// The gradient of one kernel of the second layer: the patches of its live outputs, each times its
// slope. Two rows of taps at once are enough sums to hide the latency of the multiply-adds.
template <int Rows>
HWY_INLINE void kernel_gradient2(const LiveOutput* begin, const LiveOutput* end, const float* in,
                                 float* g) {
  constexpr int vectors = tap_row / lanes;
  const Tag tag;
  Vec sum[Rows][vectors];
  DRIFTLESS_UNROLL for (int r = 0; r < Rows; ++r) {
    DRIFTLESS_UNROLL for (int v = 0; v < vectors; ++v) {
      sum[r][v] = hn::Load(tag, g + r * tap_row + v * lanes);
    }
  }
  for (const LiveOutput* live = begin; live != end; ++live) {
    const Vec slope = hn::Set(tag, live->slope);
    const float* patch = in + live->place;
    DRIFTLESS_UNROLL for (int r = 0; r < Rows; ++r) {
      DRIFTLESS_UNROLL for (int v = 0; v < vectors; ++v) {
        sum[r][v] = hn::MulAdd(slope, hn::LoadU(tag, patch + r * pixel_row + v * lanes), sum[r][v]);
      }
    }
  }
  DRIFTLESS_UNROLL for (int r = 0; r < Rows; ++r) {
    DRIFTLESS_UNROLL for (int v = 0; v < vectors; ++v) {
      hn::Store(sum[r][v], tag, g + r * tap_row + v * lanes);
    }
  }
}

// The patch of slopes of one live output += its slope times its kernel.
HWY_INLINE void input_slopes2(const LiveOutput& live, const float* weights, float* slopes) {
  const Tag tag;
  const Vec slope = hn::Set(tag, live.slope);
  float* patch = slopes + live.place;
  DRIFTLESS_UNROLL for (int r = 0; r < taps; ++r) {
    DRIFTLESS_UNROLL for (int v = 0; v < tap_row / lanes; ++v) {
      float* at = patch + r * pixel_row + v * lanes;
      const Vec weight = hn::Load(tag, weights + r * tap_row + v * lanes);
      hn::StoreU(hn::MulAdd(slope, weight, hn::LoadU(tag, at)), tag, at);
    }
  }
}

// Second layer: from the slopes of its live outputs to slope1, those of the first layer's outputs,
// and the gradient of its kernels.
HWY_INLINE void layer2_backward(Workspace& work) {
  gather_pixels(work);
  std::memset(work.slope1, 0, sizeof work.slope1);
  const LiveOutput* begin = work.live;
  for (int k = 0; k < work.kept_count; ++k) {
    const int channel = work.kept[k];
    const LiveOutput* end = work.live + work.live_end[k];
    const float* in = work.by_pixel1;
    float* g = work.gradient.weights2[channel];
    kernel_gradient2<2>(begin, end, in, g);
    kernel_gradient2<2>(begin, end, in + 2 * pixel_row, g + 2 * tap_row);
    kernel_gradient2<1>(begin, end, in + 4 * pixel_row, g + 4 * tap_row);
    for (const LiveOutput* live = begin; live != end; ++live) {
      work.gradient.bias2[channel] += live->slope;
      // Neighbouring patches overlap; in two places in turn, none waits for the one before.
      input_slopes2(*live, work.weights2[channel], work.slope1[(live - work.live) % 2]);
    }
    begin = end;
  }
}

// First layer: the gradient of its kernels.
HWY_INLINE void layer1_backward(Workspace& work) {
  const Tag tag;
  constexpr int vectors = taps * row_vectors;
  for (int j = 0; j < pooled1 * pixel_row; j += lanes) {  // what ReLU stopped has no slope
    const auto alive = hn::Gt(hn::Load(tag, work.by_pixel1 + j), hn::Zero(tag));
    const Vec slope = hn::Add(hn::Load(tag, work.slope1[0] + j), hn::Load(tag, work.slope1[1] + j));
    hn::Store(hn::IfThenElseZero(alive, slope), tag, work.slope1[0] + j);
  }
  for (int c = 0; c < channels1; ++c) {
    Vec sum[2][vectors];
    float* g = work.gradient.weights1[c];
    DRIFTLESS_UNROLL for (int v = 0; v < vectors; ++v) {
      sum[0][v] = hn::Load(tag, g + v * lanes);
      sum[1][v] = hn::Zero(tag);
    }
    Vec bias[2] = {hn::Zero(tag), hn::Zero(tag)};
    const float* slopes = work.slope1[0] + c;
    const std::int32_t* places = work.place1 + c * pooled1 * pooled1;
    for (int p = 0; p < pooled1 * pooled1; p += 2) {
      DRIFTLESS_UNROLL for (int h = 0; h < 2; ++h) {
        const Vec slope = hn::Set(tag, slopes[(p + h) * channels1]);
        const float* patch = work.image + places[p + h];
        bias[h] = hn::Add(bias[h], slope);
        DRIFTLESS_UNROLL for (int v = 0; v < vectors; ++v) {
          const float* at = patch + v / row_vectors * image_stride + v % row_vectors * lanes;
          sum[h][v] = hn::MulAdd(slope, hn::LoadU(tag, at), sum[h][v]);
        }
      }
    }
    DRIFTLESS_UNROLL for (int v = 0; v < vectors; ++v) {
      hn::Store(hn::Add(sum[0][v], sum[1][v]), tag, g + v * lanes);
    }
    work.gradient.bias1[c] += hn::GetLane(hn::Add(bias[0], bias[1]));
  }
}

}  // namespace driftless::cnn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
// NOLINTEND(bugprone-implicit-widening-of-multiplication-result)

#endif
