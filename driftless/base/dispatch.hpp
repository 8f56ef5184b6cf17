#pragma once

#include <hwy/highway.h>

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
