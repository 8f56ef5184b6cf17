#include "driftless/algorithm/close_round.hpp"

#include "driftless/base/simd_targets.hpp"
// Highway compiles this file once for each instruction set it knows.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "driftless/algorithm/close_round.cpp"
#include <hwy/foreach_target.h>
// Read again for each of them, so only after foreach_target.h.
#include "driftless/base/for_each_vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace driftless::HWY_NAMESPACE {

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

DRIFTLESS_NAME(close_round);

}  // namespace driftless::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "driftless/base/dispatch.hpp"

namespace driftless {

DRIFTLESS_EXPORT(close_round)

namespace kernel {

template <class Real>
void close_round(Real* x, const Real* y, Real* c, Real* z, Scalar<Real> per_step, Scalar<Real> rate,
                 Index d) {
  best_close_round<Real>()(x, y, c, z, per_step, rate, d);
}
template decltype(close_round<float>) close_round<float>;
template decltype(close_round<double>) close_round<double>;

}  // namespace kernel
}  // namespace driftless
#endif
