#include "driftless/problem/nn/dense.hpp"

#include <algorithm>

#include "driftless/base/simd_targets.hpp"
// Highway compiles this file once for each instruction set it knows.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "driftless/problem/nn/dense.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace driftless::nn::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Both products below keep a tile of sums in registers: 5 × 2 of them hide the latency of a fused
// multiply-add, leave room for what they are made of in 16 registers, and divide 10 classes.
constexpr int long_side = 5;
constexpr int short_side = 2;

// output[r][o] for `rows` × `outs` of them: dot products over k, the contiguous index of both
// factors.
template <int rows, int outs, class Real>
HWY_INLINE void forward_tile(const DenseShape& shape, const Real* input, const Real* weight,
                             const Real* bias, Real* output) {
  const hn::ScalableTag<Real> tag;
  const Index lanes = static_cast<Index>(hn::Lanes(tag));
  hn::Vec<decltype(tag)> sum[rows][outs];
  for (int r = 0; r < rows; ++r) {
    for (int o = 0; o < outs; ++o) sum[r][o] = hn::Zero(tag);
  }
  Index k = 0;
  for (; k + lanes <= shape.in; k += lanes) {
    hn::Vec<decltype(tag)> w[outs];
    for (int o = 0; o < outs; ++o) w[o] = hn::LoadU(tag, weight + o * shape.in + k);
    for (int r = 0; r < rows; ++r) {
      const auto v = hn::LoadU(tag, input + r * shape.in + k);
      for (int o = 0; o < outs; ++o) sum[r][o] = hn::MulAdd(v, w[o], sum[r][o]);
    }
  }
  for (int r = 0; r < rows; ++r) {
    for (int o = 0; o < outs; ++o) {
      Real total = hn::GetLane(hn::SumOfLanes(tag, sum[r][o]));
      for (Index rest = k; rest < shape.in; ++rest) {
        total += input[r * shape.in + rest] * weight[o * shape.in + rest];
      }
      output[r * shape.out + o] = bias[o] + total;
    }
  }
}

// The columns o … o + outs − 1 of the output. Their weights stay in the first cache while the batch
// passes by.
template <int outs, class Real>
HWY_INLINE void forward_columns(const DenseShape& shape, Index batch, const Real* input,
                                const Real* weight, const Real* bias, Real* output, Index o) {
  constexpr int rows = outs == long_side ? short_side : long_side;
  Index b = 0;
  for (; b + rows <= batch; b += rows) {
    forward_tile<rows, outs>(shape, input + b * shape.in, weight + o * shape.in, bias + o,
                             output + b * shape.out + o);
  }
  for (; b < batch; ++b) {
    forward_tile<1, outs>(shape, input + b * shape.in, weight + o * shape.in, bias + o,
                          output + b * shape.out + o);
  }
}

template <class Real>
void forward(const DenseShape& shape, Index batch, const Real* input, const Real* weight,
             const Real* bias, Real* output) {
  Index o = 0;
  for (; o + long_side <= shape.out; o += long_side) {
    forward_columns<long_side>(shape, batch, input, weight, bias, output, o);
  }
  for (; o + short_side <= shape.out; o += short_side) {
    forward_columns<short_side>(shape, batch, input, weight, bias, output, o);
  }
  for (; o < shape.out; ++o) forward_columns<1>(shape, batch, input, weight, bias, output, o);
}

// The product that both backward functions are: sum[i][k] += Σ_s left(i, s) right[s][k], where
// left(i, s) is left[i left_row + s left_step].
template <class Real>
struct Product {
  Index rows;   // of i
  Index steps;  // of s
  Index width;  // of k
  const Real* left;
  Index left_row;
  Index left_step;
  const Real* right;
  Real* sum;
};

template <int rows, int vectors, class Tag, class Real>
HWY_INLINE void product_tile(Tag tag, const Product<Real>& product, Index i, Index k) {
  const Index lanes = static_cast<Index>(hn::Lanes(tag));
  Real* const out = product.sum + i * product.width + k;
  hn::Vec<Tag> sum[rows][vectors];
  for (int r = 0; r < rows; ++r) {
    for (int v = 0; v < vectors; ++v) {
      sum[r][v] = hn::LoadU(tag, out + r * product.width + v * lanes);
    }
  }
  const Real* left = product.left + i * product.left_row;
  const Real* right = product.right + k;
  const Index left_row = product.left_row;
  for (Index s = 0; s < product.steps; ++s) {
    hn::Vec<Tag> factor[vectors];
    for (int v = 0; v < vectors; ++v) factor[v] = hn::LoadU(tag, right + v * lanes);
    for (int r = 0; r < rows; ++r) {
      const auto scalar = hn::Set(tag, left[r * left_row]);
      for (int v = 0; v < vectors; ++v) sum[r][v] = hn::MulAdd(scalar, factor[v], sum[r][v]);
    }
    left += product.left_step;
    right += product.width;
  }
  for (int r = 0; r < rows; ++r) {
    for (int v = 0; v < vectors; ++v) {
      hn::StoreU(sum[r][v], tag, out + r * product.width + v * lanes);
    }
  }
}

// The columns from k on that `vectors` vectors hold. What they read of `right` stays in the first
// cache while all rows pass by.
template <int vectors, class Tag, class Real>
HWY_INLINE void product_columns(Tag tag, const Product<Real>& product, Index k) {
  Index i = 0;
  for (; i + long_side <= product.rows; i += long_side) {
    product_tile<long_side, vectors>(tag, product, i, k);
  }
  for (; i < product.rows; ++i) product_tile<1, vectors>(tag, product, i, k);
}

template <class Real>
void add_product(const Product<Real>& product) {
  const hn::ScalableTag<Real> whole;
  const hn::CappedTag<Real, 1> single;
  const Index lanes = static_cast<Index>(hn::Lanes(whole));
  Index k = 0;
  for (; k + short_side * lanes <= product.width; k += short_side * lanes) {
    product_columns<short_side>(whole, product, k);
  }
  for (; k + lanes <= product.width; k += lanes) product_columns<1>(whole, product, k);
  for (; k < product.width; ++k) product_columns<1>(single, product, k);
}

template <class Real>
void backward_parameters(const DenseShape& shape, Index batch, const Real* input,
                         const Real* output_gradient, Real* weight_gradient, Real* bias_gradient) {
  add_product(Product<Real>{shape.out, batch, shape.in, output_gradient, 1, shape.out, input,
                            weight_gradient});
  for (Index b = 0; b < batch; ++b) {
    for (Index o = 0; o < shape.out; ++o) bias_gradient[o] += output_gradient[b * shape.out + o];
  }
}

template <class Real>
void backward_input(const DenseShape& shape, Index batch, const Real* weight,
                    const Real* output_gradient, Real* input_gradient) {
  std::fill_n(input_gradient, batch * shape.in, Real{0});
  add_product(Product<Real>{batch, shape.out, shape.in, output_gradient, shape.out, 1, weight,
                            input_gradient});
}

DRIFTLESS_NAME(forward);
DRIFTLESS_NAME(backward_parameters);
DRIFTLESS_NAME(backward_input);

}  // namespace driftless::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "driftless/base/dispatch.hpp"

namespace driftless::nn {

DRIFTLESS_EXPORT(forward)
DRIFTLESS_EXPORT(backward_parameters)
DRIFTLESS_EXPORT(backward_input)

template <class Real>
void dense_forward(const DenseShape& shape, Index batch, const Real* input, const Real* weight,
                   const Real* bias, Real* output) {
  best_forward<Real>()(shape, batch, input, weight, bias, output);
}
template decltype(dense_forward<float>) dense_forward<float>;
template decltype(dense_forward<double>) dense_forward<double>;

template <class Real>
void dense_backward_parameters(const DenseShape& shape, Index batch, const Real* input,
                               const Real* output_gradient, Real* weight_gradient,
                               Real* bias_gradient) {
  best_backward_parameters<Real>()(shape, batch, input, output_gradient, weight_gradient,
                                   bias_gradient);
}
template decltype(dense_backward_parameters<float>) dense_backward_parameters<float>;
template decltype(dense_backward_parameters<double>) dense_backward_parameters<double>;

template <class Real>
void dense_backward_input(const DenseShape& shape, Index batch, const Real* weight,
                          const Real* output_gradient, Real* input_gradient) {
  best_backward_input<Real>()(shape, batch, weight, output_gradient, input_gradient);
}
template decltype(dense_backward_input<float>) dense_backward_input<float>;
template decltype(dense_backward_input<double>) dense_backward_input<double>;

}  // namespace driftless::nn
#endif
