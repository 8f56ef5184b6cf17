#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "driftless/base/simd_targets.hpp"
// Only now, with the targets said.
#include <hwy/targets.h>

namespace driftless {

// Calls check() once for each instruction set of this machine that the kernels are compiled for.
template <class Check>
void on_every_target(const Check& check) {
  for (std::int64_t rest = hwy::SupportedTargets() & HWY_TARGETS; rest != 0; rest &= rest - 1) {
    const std::int64_t target = rest & -rest;
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    check();
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace driftless
