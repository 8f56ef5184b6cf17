#pragma once

#include <cstdint>

#include "driftless/problem/nn/cnn_workspace.hpp"

namespace driftless::cnn {

// The layers one by one, as compiled for this machine: what a gradient does with each sample, in
// this order. For tests; cnn_pass.cpp calls them without the detour.
struct Layers {
  void (*load_image)(const std::uint8_t* pixels, float scale, float shift, Workspace& work);
  void (*layer1_forward)(const float* x, Workspace& work);
  void (*layer2_forward)(const float* x, Workspace& work);
  void (*dense_forward)(const float* x, Workspace& work);
  void (*dense_backward)(Workspace& work);
  void (*layer2_backward)(Workspace& work);
  void (*layer1_backward)(Workspace& work);
};
Layers layers();

// Which channels of the second layer take part from now on, and by what they are multiplied.
void keep_channels(std::uint32_t mask, float multiplier, Workspace& work);

// Between the flat vectors and what the layers work with.
void pack_parameters(const float* x, Workspace& work);
void unpack_gradient(const PaddedGradient& from, float* g);

}  // namespace driftless::cnn
