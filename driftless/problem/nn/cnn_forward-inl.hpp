// The layers of the CNN forward, for one sample that stays in the innermost caches; the way back is
// in cnn_backward-inl.hpp. Compiled once for each instruction set: included by cnn_pass.cpp only.
//
// Three kinds of exact zeros are never computed with: channels that dropout drops, the three of
// four outputs that pooling discards, and what ReLU leaves at zero. What is left of the second
// layer is a list of live outputs, which the dense layer and the way back walk.

#if defined(DRIFTLESS_CNN_FORWARD_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef DRIFTLESS_CNN_FORWARD_INL_HPP
#undef DRIFTLESS_CNN_FORWARD_INL_HPP
#else
#define DRIFTLESS_CNN_FORWARD_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstdint>

#include "driftless/problem/nn/cnn_workspace.hpp"

#ifdef __clang__
#define DRIFTLESS_UNROLL _Pragma("unroll")
#else
#define DRIFTLESS_UNROLL _Pragma("GCC unroll 16")
#endif

// Offsets within one sample's tensors: below 2^16, so plain int serves.
// NOLINTBEGIN(bugprone-implicit-widening-of-multiplication-result)
HWY_BEFORE_NAMESPACE();
namespace driftless::cnn::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Rows of the second layer's outputs have 8 numbers, so wider vectors would be of no use.
using Tag = hn::CappedTag<float, 8>;
using Vec = hn::Vec<Tag>;
inline constexpr int lanes = hn::MaxLanes(Tag());
inline constexpr int row_vectors = 8 / lanes;  // of a row of 8 numbers

// A block of a valid convolution: `Rows` rows of `lanes` columns of `Channels` output channels, all
// in registers: enough of them to hide the latency of the multiply-adds.
template <int InChannels, int InPlane, int InStride, int Channels, int Rows>
HWY_INLINE void convolve_block(const float* in, const float* const (&kernels)[Channels],
                               const float (&biases)[Channels], float* const (&out)[Channels],
                               int out_stride) {
  const Tag tag;
  Vec sum[Channels][Rows];
  DRIFTLESS_UNROLL for (int c = 0; c < Channels; ++c) {
    DRIFTLESS_UNROLL for (int r = 0; r < Rows; ++r) sum[c][r] = hn::Set(tag, biases[c]);
  }
  for (int plane = 0; plane < InChannels; ++plane) {
    const float* corner = in + plane * InPlane;
    for (int dy = 0; dy < taps; ++dy) {
      DRIFTLESS_UNROLL for (int dx = 0; dx < taps; ++dx) {
        const int tap = (plane * taps + dy) * taps + dx;
        Vec in_row[Rows];
        DRIFTLESS_UNROLL for (int r = 0; r < Rows; ++r) {
          in_row[r] = hn::LoadU(tag, corner + (r + dy) * InStride + dx);
        }
        DRIFTLESS_UNROLL for (int c = 0; c < Channels; ++c) {
          const Vec weight = hn::Set(tag, kernels[c][tap]);
          DRIFTLESS_UNROLL for (int r = 0; r < Rows; ++r) {
            sum[c][r] = hn::MulAdd(in_row[r], weight, sum[c][r]);
          }
        }
      }
    }
  }
  DRIFTLESS_UNROLL for (int c = 0; c < Channels; ++c) {
    DRIFTLESS_UNROLL for (int r = 0; r < Rows; ++r) {
      hn::StoreU(sum[c][r], tag, out[c] + r * out_stride);
    }
  }
}

// The greatest of each 2 × 2 block of two rows, and where it is: its place relative to `upper`, if
// rows were `stride` apart. Equal ones: the first.
template <class PoolTag, class Value, class Place>
HWY_INLINE void pool_rows(PoolTag tag, const float* upper, const float* lower, int stride,
                          Value& greatest, Place& place) {
  const hn::RebindToSigned<PoolTag> places;
  Value candidate[4];
  hn::LoadInterleaved2(tag, upper, candidate[0], candidate[1]);
  hn::LoadInterleaved2(tag, lower, candidate[2], candidate[3]);
  greatest = candidate[0];
  place = hn::Zero(places);
  DRIFTLESS_UNROLL for (int k = 1; k < 4; ++k) {
    const auto greater = hn::Gt(candidate[k], greatest);
    greatest = hn::IfThenElse(greater, candidate[k], greatest);
    place = hn::IfThenElse(hn::RebindMask(places, greater),
                           hn::Set(places, (k / 2) * stride + k % 2), place);
  }
  const auto even = hn::ShiftLeft<1>(hn::Iota(places, 0));
  place = hn::Add(place, even);
}

// image [28][image_stride] ← pixels · scale + shift
HWY_INLINE void load_image(const std::uint8_t* pixels, float scale, float shift, Workspace& work) {
  const hn::CappedTag<float, 4> tag;
  const hn::Rebind<std::int32_t, decltype(tag)> integers;
  const hn::Rebind<std::uint8_t, decltype(tag)> bytes;
  constexpr int width = hn::MaxLanes(tag);
  const auto factor = hn::Set(tag, scale);
  const auto offset = hn::Set(tag, shift);
  for (int y = 0; y < image_side; ++y) {
    for (int x = 0; x < image_side; x += width) {
      const auto some = hn::PromoteTo(integers, hn::LoadU(bytes, pixels + y * image_side + x));
      hn::Store(hn::MulAdd(hn::ConvertTo(tag, some), factor, offset), tag,
                work.image + y * image_stride + x);
    }
  }
}

// First layer. active1 [10][12][plane1_stride] ← ReLU(pool(conv(image))); place1 of the same shape
// ← where in the image each came from.
HWY_INLINE void layer1_forward(const float* x, Workspace& work) {
  constexpr int group = 5;
  constexpr int block = 2;
  const Tag tag;
  const hn::RebindToSigned<Tag> places;
  for (int c = 0; c < channels1; c += group) {
    const float* kernels[group];
    float biases[group];
    DRIFTLESS_UNROLL for (int k = 0; k < group; ++k) {
      kernels[k] = x + weights1 + (c + k) * kernel;
      biases[k] = x[bias1 + c + k];
    }
    for (int y = 0; y < side1; y += block) {
      for (int column = 0; column < side1; column += lanes) {
        float* out[group];
        DRIFTLESS_UNROLL for (int k = 0; k < group; ++k) {
          out[k] = work.maps[k] + y * side1 + column;
        }
        convolve_block<1, 0, image_stride, group, block>(work.image + y * image_stride + column,
                                                         kernels, biases, out, side1);
      }
    }
    for (int k = 0; k < group; ++k) {
      for (int y = 0; y < pooled1; ++y) {
        const float* upper = work.maps[k] + 2 * y * side1;
        const int row = ((c + k) * pooled1 + y) * stride1;
        const int place_row = ((c + k) * pooled1 + y) * pooled1;
        for (int column = 0;;) {
          Vec greatest;
          hn::Vec<decltype(places)> place;
          pool_rows(tag, upper + 2 * column, upper + side1 + 2 * column, image_stride, greatest,
                    place);
          const int origin = 2 * y * image_stride + 2 * column;
          hn::StoreU(hn::Max(greatest, hn::Zero(tag)), tag, work.active1 + row + column);
          hn::StoreU(hn::Add(place, hn::Set(places, origin)), places,
                     work.place1 + place_row + column);
          if (column == pooled1 - lanes) break;
          column = HWY_MIN(column + lanes, pooled1 - lanes);  // the last two blocks may overlap
        }
      }
    }
  }
}

// Second layer up to `Channels` kept channels at once.
template <int Channels>
HWY_INLINE void layer2_channels(const float* x, const int* kept, Workspace& work) {
  constexpr int block = 2;
  const float* kernels[Channels];
  float biases[Channels];
  DRIFTLESS_UNROLL for (int c = 0; c < Channels; ++c) {
    kernels[c] = x + weights2 + kept[c] * channels1 * kernel;
    biases[c] = x[bias2 + kept[c]];
  }
  for (int y = 0; y < side2; y += block) {
    for (int column = 0; column < side2; column += lanes) {
      float* out[Channels];
      DRIFTLESS_UNROLL for (int c = 0; c < Channels; ++c) {
        out[c] = work.maps[c] + y * side2 + column;
      }
      convolve_block<channels1, plane1, stride1, Channels, block>(
          work.active1 + y * stride1 + column, kernels, biases, out, side2);
    }
  }
}

// Lists the live outputs of a channel: those that pooling keeps and ReLU lets through.
HWY_INLINE void list_live(const float* map, int channel, float multiplier, Workspace& work) {
  const hn::CappedTag<float, pooled2> tag;
  const hn::RebindToSigned<decltype(tag)> places;
  constexpr int width = hn::MaxLanes(tag);
  float values[pooled2] = {};
  std::int32_t at[pooled2] = {};
  int count = work.live_count;
  for (int y = 0; y < pooled2; ++y) {
    const float* upper = map + 2 * y * side2;
    DRIFTLESS_UNROLL for (int i = 0; i < pooled2; i += width) {
      hn::Vec<decltype(tag)> greatest;
      hn::Vec<decltype(places)> place;
      pool_rows(tag, upper + 2 * i, upper + side2 + 2 * i, pooled1, greatest, place);
      hn::StoreU(hn::Mul(greatest, hn::Set(tag, multiplier)), tag, values + i);
      hn::StoreU(hn::Add(place, hn::Set(places, 2 * y * pooled1 + 2 * i)), places, at + i);
    }
    for (int i = 0; i < pooled2; ++i) {
      work.live[count] = {(channel * pooled2 + y) * pooled2 + i, at[i] * channels1, values[i], 0};
      count += values[i] > 0;
    }
  }
  work.live_count = count;
}

HWY_INLINE void layer2_forward(const float* x, Workspace& work) {
  work.live_count = 0;
  int c = 0;
  const auto list = [&](int channels) HWY_ATTR {
    for (int k = 0; k < channels; ++k, ++c) {
      list_live(work.maps[k], work.kept[c], work.multiplier, work);
      work.live_end[c] = work.live_count;
    }
  };
  const auto channels = [&](auto count) HWY_ATTR {
    layer2_channels<count>(x, work.kept + c, work);
    list(count);
  };
  while (work.kept_count - c >= 5) channels(std::integral_constant<int, 5>());
  switch (work.kept_count - c) {
    case 4:
      return channels(std::integral_constant<int, 4>());
    case 3:
      return channels(std::integral_constant<int, 3>());
    case 2:
      return channels(std::integral_constant<int, 2>());
    case 1:
      return channels(std::integral_constant<int, 1>());
    default:
      return;
  }
}

// The two dense layers: logits [10] and the hidden layer [hidden_stride] after its ReLU.
HWY_INLINE void dense_forward(const float* x, Workspace& work) {
  const Tag tag;
  constexpr int vectors = hidden_stride / lanes;
  Vec sum[vectors];
  DRIFTLESS_UNROLL for (int v = 0; v < vectors; ++v) {
    sum[v] = hn::Load(tag, work.bias3 + v * lanes);
  }
  for (int i = 0; i < work.live_count; ++i) {
    const Vec value = hn::Set(tag, work.live[i].value);
    const float* row = work.weights3[work.live[i].feature];
    DRIFTLESS_UNROLL for (int v = 0; v < vectors; ++v) {
      sum[v] = hn::MulAdd(value, hn::Load(tag, row + v * lanes), sum[v]);
    }
  }
  DRIFTLESS_UNROLL for (int v = 0; v < vectors; ++v) {
    sum[v] = hn::Max(sum[v], hn::Zero(tag));
    hn::Store(sum[v], tag, work.hidden + v * lanes);
  }
  for (int k = 0; k < classes; ++k) {
    Vec dot = hn::Zero(tag);
    DRIFTLESS_UNROLL for (int v = 0; v < vectors; ++v) {
      dot = hn::MulAdd(sum[v], hn::Load(tag, work.weights4[k] + v * lanes), dot);
    }
    work.logits[k] = hn::GetLane(hn::SumOfLanes(tag, dot)) + x[bias4 + k];
  }
}

}  // namespace driftless::cnn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
// NOLINTEND(bugprone-implicit-widening-of-multiplication-result)

#endif
