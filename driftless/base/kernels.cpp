#include "driftless/base/kernels.hpp"

#include "driftless/base/simd_targets.hpp"
// Highway compiles this file once for each instruction set it knows.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "driftless/base/kernels.cpp"
#include <hwy/foreach_target.h>
// Read again for each of them, so only after foreach_target.h.
#include "driftless/base/for_each_vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace driftless::HWY_NAMESPACE {

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
static constexpr auto& sum_in_order_float = sum_in_order<float>;
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
HWY_EXPORT(sum_in_order_float);
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
void sum_in_order(float* accumulator, const float* row, Index d) {
  DRIFTLESS_DISPATCH(sum_in_order_float)(accumulator, row, d);
}
template <>
void sum_in_order(double* accumulator, const double* row, Index d) {
  DRIFTLESS_DISPATCH(sum_in_order_double)(accumulator, row, d);
}

}  // namespace kernel
}  // namespace driftless
#endif
