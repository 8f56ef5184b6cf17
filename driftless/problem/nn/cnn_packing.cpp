#include <cstring>

#include "driftless/problem/nn/cnn_layers.hpp"

// Offsets within 21,840 parameters: plain int serves.
// NOLINTBEGIN(bugprone-implicit-widening-of-multiplication-result)
namespace driftless::cnn {
namespace {

// body(place among the parameters, channel, place in its padded kernel)
template <class Body>
void for_each_weight2(const Body& body) {
  int flat = 0;
  for (int channel = 0; channel < channels2; ++channel) {
    for (int plane = 0; plane < channels1; ++plane) {
      for (int tap = 0; tap < kernel; ++tap, ++flat) {
        body(flat, channel, tap / taps * tap_row + tap % taps * channels1 + plane);
      }
    }
  }
}

}  // namespace

void keep_channels(std::uint32_t mask, float multiplier, Workspace& work) {
  work.kept_count = 0;
  for (int c = 0; c < channels2; ++c) {
    work.kept[work.kept_count] = c;
    work.kept_count += static_cast<int>(mask >> c & 1U);
  }
  work.multiplier = multiplier;
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

}  // namespace driftless::cnn
// NOLINTEND(bugprone-implicit-widening-of-multiplication-result)
