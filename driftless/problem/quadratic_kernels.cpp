#include "driftless/problem/quadratic_kernels.hpp"

#include "driftless/base/simd_targets.hpp"
// Highway compiles this file once for each instruction set it knows.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "driftless/problem/quadratic_kernels.cpp"
#include <hwy/foreach_target.h>
// Read again for each of them, so only after foreach_target.h.
#include "driftless/base/for_each_vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace driftless::HWY_NAMESPACE {

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

// Highway's dispatch tables want plain names.
static constexpr auto& scale_minus_float = scale_minus<float>;
static constexpr auto& scale_minus_double = scale_minus<double>;
static constexpr auto& descend_quadratic_float = descend_quadratic<float>;
static constexpr auto& descend_quadratic_double = descend_quadratic<double>;

}  // namespace driftless::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "driftless/base/dispatch.hpp"

namespace driftless {

HWY_EXPORT(scale_minus_float);
HWY_EXPORT(scale_minus_double);
HWY_EXPORT(descend_quadratic_float);
HWY_EXPORT(descend_quadratic_double);

namespace kernel {

template <>
void scale_minus(float* out, float h, const float* x, const float* q, Index d) {
  DRIFTLESS_DISPATCH(scale_minus_float)(out, h, x, q, d);
}
template <>
void scale_minus(double* out, double h, const double* x, const double* q, Index d) {
  DRIFTLESS_DISPATCH(scale_minus_double)(out, h, x, q, d);
}
template <>
void descend_quadratic(float* y, float rate, float h, const float* q, const float* noise,
                       const float* c, Index d) {
  DRIFTLESS_DISPATCH(descend_quadratic_float)(y, rate, h, q, noise, c, d);
}
template <>
void descend_quadratic(double* y, double rate, double h, const double* q, const double* noise,
                       const double* c, Index d) {
  DRIFTLESS_DISPATCH(descend_quadratic_double)(y, rate, h, q, noise, c, d);
}

}  // namespace kernel
}  // namespace driftless
#endif
