#pragma once

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "driftless/base/types.hpp"

namespace driftless {

// Runs body(0 … count − 1) on the arena's threads. A thread that waits here takes no other work up:
// in a sweep it would otherwise begin another run in the middle of this one's round.
template <class Body>
void parallel(Index count, const Body& body) {
  if (count <= 1 || tbb::this_task_arena::max_concurrency() == 1) {
    for (Index i = 0; i < count; ++i) body(i);
    return;
  }
  tbb::this_task_arena::isolate([&] { tbb::parallel_for(Index{0}, count, body); });
}

}  // namespace driftless
