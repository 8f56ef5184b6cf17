#pragma once

#include "driftless/base/types.hpp"

// Fully connected layers, for the vector instructions of the machine they run on. Batches are rows
// of contiguous numbers. `Real` is float or double; pointers need no alignment, and nothing may
// overlap.
//
// Sums run over vector lanes and are fused: one machine always gives the same bits, whatever the
// number of threads, but a machine with other vectors gives others.
namespace driftless::nn {

struct DenseShape {
  Index in = 0;
  Index out = 0;

  Index weights() const { return out * in; }
  Index parameters() const { return weights() + out; }
};

// output[b][o] = bias[o] + Σ_k input[b][k] weight[o][k]
template <class Real>
void dense_forward(const DenseShape& shape, Index batch, const Real* input, const Real* weight,
                   const Real* bias, Real* output);

// weight_gradient[o][k] += Σ_b output_gradient[b][o] input[b][k]
// bias_gradient[o] += Σ_b output_gradient[b][o]
template <class Real>
void dense_backward_parameters(const DenseShape& shape, Index batch, const Real* input,
                               const Real* output_gradient, Real* weight_gradient,
                               Real* bias_gradient);

// input_gradient[b][k] = Σ_o output_gradient[b][o] weight[o][k]
template <class Real>
void dense_backward_input(const DenseShape& shape, Index batch, const Real* weight,
                          const Real* output_gradient, Real* input_gradient);

// value[i] ← max(0, value[i]); what is not a number stays so.
template <class Real>
void relu_forward(Index size, Real* value) {
  for (Index i = 0; i < size; ++i) value[i] = value[i] < 0 ? Real{0} : value[i];
}

// gradient[i] ← 0 where relu gave 0
template <class Real>
void relu_backward(Index size, const Real* value, Real* gradient) {
  for (Index i = 0; i < size; ++i) gradient[i] = value[i] <= 0 ? Real{0} : gradient[i];
}

}  // namespace driftless::nn
