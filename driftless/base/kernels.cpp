#include "driftless/base/kernels.hpp"

#include "driftless/base/simd_targets.hpp"
// Highway compiles this file once for each instruction set it knows.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "driftless/base/kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace driftless::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Calls body(tag, j) for consecutive pieces of 0 … d−1: whole vectors, then single elements. The
// operations are those of one element either way, so the cut does not show in the bits.
template <class Real, class Body>
HWY_INLINE void for_each_vector(Index d, const Body& body) {
  const hn::ScalableTag<Real> whole;
  const hn::CappedTag<Real, 1> single;
  const Index lanes = static_cast<Index>(hn::Lanes(whole));
  Index j = 0;
  for (; j + 4 * lanes <= d; j += 4 * lanes) {
    body(whole, j);
    body(whole, j + lanes);
    body(whole, j + 2 * lanes);
    body(whole, j + 3 * lanes);
  }
  for (; j + lanes <= d; j += lanes) body(whole, j);
  for (; j < d; ++j) body(single, j);
}

template <class Real>
void descend(Real* y, Real rate, const Real* g, Index d) {
  for_each_vector<Real>(d, [=](auto tag, Index j) HWY_ATTR {
    const auto step = hn::Mul(hn::Set(tag, rate), hn::LoadU(tag, g + j));
    hn::StoreU(hn::Sub(hn::LoadU(tag, y + j), step), tag, y + j);
  });
}

template <class Real>
void descend_corrected(Real* y, Real rate, const Real* g, const Real* c, Index d) {
  for_each_vector<Real>(d, [=](auto tag, Index j) HWY_ATTR {
    const auto direction = hn::Add(hn::LoadU(tag, g + j), hn::LoadU(tag, c + j));
    const auto step = hn::Mul(hn::Set(tag, rate), direction);
    hn::StoreU(hn::Sub(hn::LoadU(tag, y + j), step), tag, y + j);
  });
}

template <class Real>
void scale_minus(Real* out, Real h, const Real* x, const Real* q, Index d) {
  for_each_vector<Real>(d, [=](auto tag, Index j) HWY_ATTR {
    const auto scaled = hn::Mul(hn::Set(tag, h), hn::LoadU(tag, x + j));
    hn::StoreU(hn::Sub(scaled, hn::LoadU(tag, q + j)), tag, out + j);
  });
}

template <class Real>
void descend_quadratic(Real* y, Real rate, Real h, const Real* q, const Real* noise, const Real* c,
                       Index d) {
  const auto step = [=](auto tag, Index j, auto x, auto gradient) HWY_ATTR {
    const auto direction = hn::Add(gradient, hn::LoadU(tag, c + j));
    hn::StoreU(hn::Sub(x, hn::Mul(hn::Set(tag, rate), direction)), tag, y + j);
  };
  if (noise == nullptr) {
    for_each_vector<Real>(d, [=](auto tag, Index j) HWY_ATTR {
      const auto x = hn::LoadU(tag, y + j);
      step(tag, j, x, hn::Sub(hn::Mul(hn::Set(tag, h), x), hn::LoadU(tag, q + j)));
    });
  } else {
    for_each_vector<Real>(d, [=](auto tag, Index j) HWY_ATTR {
      const auto x = hn::LoadU(tag, y + j);
      const auto exact = hn::Sub(hn::Mul(hn::Set(tag, h), x), hn::LoadU(tag, q + j));
      step(tag, j, x, hn::Add(exact, hn::LoadU(tag, noise + j)));
    });
  }
}

template <class Real>
void close_round(Real* x, const Real* y, Real* c, Real* z, Real per_step, Real rate, Index d) {
  for_each_vector<Real>(d, [=](auto tag, Index j) HWY_ATTR {
    const auto old = hn::LoadU(tag, x + j);
    const auto taken = hn::Mul(hn::Set(tag, per_step), hn::Sub(old, hn::LoadU(tag, y + j)));
    hn::StoreU(taken, tag, z + j);
    hn::StoreU(hn::Sub(hn::LoadU(tag, c + j), taken), tag, c + j);
    hn::StoreU(hn::Sub(old, hn::Mul(hn::Set(tag, rate), taken)), tag, x + j);
  });
}

template <class Real>
void sum_in_order(Real* accumulator, const Real* row, Index d) {
  for_each_vector<Real>(d, [=](auto tag, Index j) HWY_ATTR {
    const auto sum = hn::Add(hn::LoadU(tag, accumulator + j), hn::LoadU(tag, row + j));
    hn::StoreU(sum, tag, accumulator + j);
  });
}

// `vectors` neighbouring vectors of the weighted sum: kept in registers over all rows, so that
// `out` is written once and the latency of the additions is hidden.
template <int vectors, class Tag, class Real>
HWY_INLINE void weighted_block(Tag tag, Real* out, const Real* const* rows, const Real* weights,
                               Index count, Index j) {
  const Index lanes = static_cast<Index>(hn::Lanes(tag));
  hn::Vec<Tag> sum[vectors];
  for (int v = 0; v < vectors; ++v) {
    sum[v] = hn::Mul(hn::Set(tag, weights[0]), hn::LoadU(tag, rows[0] + j + v * lanes));
  }
  for (Index i = 1; i < count; ++i) {
    const Real* row = rows[i] + j;
    const auto weight = hn::Set(tag, weights[i]);
    for (int v = 0; v < vectors; ++v) {
      sum[v] = hn::Add(sum[v], hn::Mul(weight, hn::LoadU(tag, row + v * lanes)));
    }
  }
  for (int v = 0; v < vectors; ++v) hn::StoreU(sum[v], tag, out + j + v * lanes);
}

template <class Real>
void weighted_sum(Real* out, const Real* const* rows, const Real* weights, Index count, Index d) {
  const hn::ScalableTag<Real> whole;
  const hn::CappedTag<Real, 1> single;
  const Index lanes = static_cast<Index>(hn::Lanes(whole));
  Index j = 0;
  for (; j + 8 * lanes <= d; j += 8 * lanes) {
    weighted_block<8>(whole, out, rows, weights, count, j);
  }
  for (; j + 4 * lanes <= d; j += 4 * lanes) {
    weighted_block<4>(whole, out, rows, weights, count, j);
  }
  for (; j + lanes <= d; j += lanes) weighted_block<1>(whole, out, rows, weights, count, j);
  for (; j < d; ++j) weighted_block<1>(single, out, rows, weights, count, j);
}

// Highway's dispatch tables want plain names.
static constexpr auto& descend_float = descend<float>;
static constexpr auto& descend_double = descend<double>;
static constexpr auto& descend_corrected_float = descend_corrected<float>;
static constexpr auto& descend_corrected_double = descend_corrected<double>;
static constexpr auto& scale_minus_float = scale_minus<float>;
static constexpr auto& scale_minus_double = scale_minus<double>;
static constexpr auto& descend_quadratic_float = descend_quadratic<float>;
static constexpr auto& close_round_float = close_round<float>;
static constexpr auto& sum_in_order_float = sum_in_order<float>;
static constexpr auto& descend_quadratic_double = descend_quadratic<double>;
static constexpr auto& close_round_double = close_round<double>;
static constexpr auto& sum_in_order_double = sum_in_order<double>;
static constexpr auto& weighted_sum_float = weighted_sum<float>;
static constexpr auto& weighted_sum_double = weighted_sum<double>;

}  // namespace driftless::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "driftless/base/dispatch.hpp"

namespace driftless {

HWY_EXPORT(descend_float);
HWY_EXPORT(descend_double);
HWY_EXPORT(descend_corrected_float);
HWY_EXPORT(descend_corrected_double);
HWY_EXPORT(scale_minus_float);
HWY_EXPORT(scale_minus_double);
HWY_EXPORT(descend_quadratic_float);
HWY_EXPORT(close_round_float);
HWY_EXPORT(sum_in_order_float);
HWY_EXPORT(descend_quadratic_double);
HWY_EXPORT(close_round_double);
HWY_EXPORT(sum_in_order_double);
HWY_EXPORT(weighted_sum_float);
HWY_EXPORT(weighted_sum_double);

namespace kernel {

template <>
void descend(float* y, float rate, const float* g, Index d) {
  DRIFTLESS_DISPATCH(descend_float)(y, rate, g, d);
}
template <>
void descend(double* y, double rate, const double* g, Index d) {
  DRIFTLESS_DISPATCH(descend_double)(y, rate, g, d);
}
template <>
void descend(float* y, float rate, const float* g, const float* c, Index d) {
  DRIFTLESS_DISPATCH(descend_corrected_float)(y, rate, g, c, d);
}
template <>
void descend(double* y, double rate, const double* g, const double* c, Index d) {
  DRIFTLESS_DISPATCH(descend_corrected_double)(y, rate, g, c, d);
}
template <>
void scale_minus(float* out, float h, const float* x, const float* q, Index d) {
  DRIFTLESS_DISPATCH(scale_minus_float)(out, h, x, q, d);
}
template <>
void scale_minus(double* out, double h, const double* x, const double* q, Index d) {
  DRIFTLESS_DISPATCH(scale_minus_double)(out, h, x, q, d);
}
template <>
void weighted_sum(float* out, const float* const* rows, const float* weights, Index count,
                  Index d) {
  DRIFTLESS_DISPATCH(weighted_sum_float)(out, rows, weights, count, d);
}
template <>
void weighted_sum(double* out, const double* const* rows, const double* weights, Index count,
                  Index d) {
  DRIFTLESS_DISPATCH(weighted_sum_double)(out, rows, weights, count, d);
}
template <>
void descend_quadratic(float* y, float rate, float h, const float* q, const float* noise,
                       const float* c, Index d) {
  DRIFTLESS_DISPATCH(descend_quadratic_float)(y, rate, h, q, noise, c, d);
}
template <>
void close_round(float* x, const float* y, float* c, float* z, float per_step, float rate,
                 Index d) {
  DRIFTLESS_DISPATCH(close_round_float)(x, y, c, z, per_step, rate, d);
}
template <>
void sum_in_order(float* accumulator, const float* row, Index d) {
  DRIFTLESS_DISPATCH(sum_in_order_float)(accumulator, row, d);
}
template <>
void descend_quadratic(double* y, double rate, double h, const double* q, const double* noise,
                       const double* c, Index d) {
  DRIFTLESS_DISPATCH(descend_quadratic_double)(y, rate, h, q, noise, c, d);
}
template <>
void close_round(double* x, const double* y, double* c, double* z, double per_step, double rate,
                 Index d) {
  DRIFTLESS_DISPATCH(close_round_double)(x, y, c, z, per_step, rate, d);
}
template <>
void sum_in_order(double* accumulator, const double* row, Index d) {
  DRIFTLESS_DISPATCH(sum_in_order_double)(accumulator, row, d);
}

}  // namespace kernel
}  // namespace driftless
#endif
