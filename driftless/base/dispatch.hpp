#pragma once

#include <hwy/highway.h>

#include <type_traits>

namespace driftless {

// HWY_DYNAMIC_DISPATCH asks the shared library at every call which instruction set was chosen: a
// tenth of a local step at d = 50. This remembers where the answer is kept.
inline const hwy::ChosenTarget& chosen_target = hwy::GetChosenTarget();

}  // namespace driftless

#if (HWY_TARGETS & (HWY_TARGETS - 1)) == 0  // only one was compiled
#define DRIFTLESS_DISPATCH(function) HWY_STATIC_DISPATCH(function)
#else
#define DRIFTLESS_DISPATCH(function) (*HWY_DISPATCH_TABLE(function)[chosen_target.GetIndex()])
#endif

// Makes best_KERNEL<Real>(), the kernel as it is compiled for this machine, of the names that
// DRIFTLESS_NAME gave.
#define DRIFTLESS_EXPORT(kernel)                  \
  HWY_EXPORT(kernel##_float);                     \
  HWY_EXPORT(kernel##_double);                    \
  template <class Real>                           \
  static auto& best_##kernel() {                  \
    if constexpr (std::is_same_v<Real, float>) {  \
      return DRIFTLESS_DISPATCH(kernel##_float);  \
    } else {                                      \
      return DRIFTLESS_DISPATCH(kernel##_double); \
    }                                             \
  }
