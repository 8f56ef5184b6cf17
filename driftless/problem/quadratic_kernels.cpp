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

DRIFTLESS_NAME(scale_minus);
DRIFTLESS_NAME(descend_quadratic);

}  // namespace driftless::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "driftless/base/dispatch.hpp"

namespace driftless {

DRIFTLESS_EXPORT(scale_minus)
DRIFTLESS_EXPORT(descend_quadratic)

namespace kernel {

template <class Real>
void scale_minus(Real* out, Scalar<Real> h, const Real* x, const Real* q, Index d) {
  best_scale_minus<Real>()(out, h, x, q, d);
}
template decltype(scale_minus<float>) scale_minus<float>;
template decltype(scale_minus<double>) scale_minus<double>;

template <class Real>
void descend_quadratic(Real* y, Scalar<Real> rate, Scalar<Real> h, const Real* q, const Real* noise,
                       const Real* c, Index d) {
  best_descend_quadratic<Real>()(y, rate, h, q, noise, c, d);
}
template decltype(descend_quadratic<float>) descend_quadratic<float>;
template decltype(descend_quadratic<double>) descend_quadratic<double>;

}  // namespace kernel
}  // namespace driftless
#endif
