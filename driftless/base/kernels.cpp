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
  for (; j + 8 * lanes <= d; j += 8 * lanes) weighted_block<8>(whole, out, rows, weights, count, j);
  for (; j + 4 * lanes <= d; j += 4 * lanes) weighted_block<4>(whole, out, rows, weights, count, j);
  for (; j + lanes <= d; j += lanes) weighted_block<1>(whole, out, rows, weights, count, j);
  for (; j < d; ++j) weighted_block<1>(single, out, rows, weights, count, j);
}

DRIFTLESS_NAME(descend);
DRIFTLESS_NAME(descend_corrected);
DRIFTLESS_NAME(sum_in_order);
DRIFTLESS_NAME(weighted_sum);

}  // namespace driftless::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "driftless/base/dispatch.hpp"

namespace driftless {

DRIFTLESS_EXPORT(descend)
DRIFTLESS_EXPORT(descend_corrected)
DRIFTLESS_EXPORT(sum_in_order)
DRIFTLESS_EXPORT(weighted_sum)

namespace kernel {

template <class Real>
void descend(Real* y, Scalar<Real> rate, const Real* g, Index d) {
  best_descend<Real>()(y, rate, g, d);
}
template void descend(float*, float, const float*, Index);
template void descend(double*, double, const double*, Index);

template <class Real>
void descend(Real* y, Scalar<Real> rate, const Real* g, const Real* c, Index d) {
  best_descend_corrected<Real>()(y, rate, g, c, d);
}
template void descend(float*, float, const float*, const float*, Index);
template void descend(double*, double, const double*, const double*, Index);

template <class Real>
void weighted_sum(Real* out, const Real* const* rows, const Real* weights, Index count, Index d) {
  best_weighted_sum<Real>()(out, rows, weights, count, d);
}
template decltype(weighted_sum<float>) weighted_sum<float>;
template decltype(weighted_sum<double>) weighted_sum<double>;

template <class Real>
void sum_in_order(Real* accumulator, const Real* row, Index d) {
  best_sum_in_order<Real>()(accumulator, row, d);
}
template decltype(sum_in_order<float>) sum_in_order<float>;
template decltype(sum_in_order<double>) sum_in_order<double>;

}  // namespace kernel
}  // namespace driftless
#endif
