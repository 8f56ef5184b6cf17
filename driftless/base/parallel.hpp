#pragma once

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <memory>
#include <optional>
#include <tuple>

#ifdef __SANITIZE_THREAD__
#include <algorithm>
#include <future>
#include <vector>
#endif

#include "driftless/base/lent_arena.hpp"
#include "driftless/base/types.hpp"

namespace driftless {

#ifdef __SANITIZE_THREAD__
namespace detail {

// ThreadSanitizer does not see how TBB's library orders its threads, and would take every loop for
// a race. It does see threads that are started here. Each thread has a fixed share of the work, so
// that no race hides because one thread was fast enough to do it all.
template <class Body>
void on_plain_threads(Index count, const Body& body) {
  const Index threads = std::min<Index>(count, tbb::this_task_arena::max_concurrency());
  const auto work = [&](Index first) {
    for (Index i = first; i < count; i += threads) body(i);
  };
  std::vector<std::future<void>> others;
  for (Index t = 1; t < threads; ++t) others.push_back(std::async(std::launch::async, work, t));
  work(0);
  for (std::future<void>& other : others) other.get();
}

}  // namespace detail
#endif

// Runs body(0 … count − 1) on the arena's threads. A thread that waits here takes up no other work:
// in a sweep it would otherwise begin another run in the middle of this one's round.
template <class Body>
void parallel(Index count, const Body& body) {
  if (count <= 1 || tbb::this_task_arena::max_concurrency() == 1) {
    for (Index i = 0; i < count; ++i) body(i);
    return;
  }
#ifdef __SANITIZE_THREAD__
  detail::on_plain_threads(count, body);
#else
  tbb::this_task_arena::isolate([&] { tbb::parallel_for(Index{0}, count, body); });
#endif
}

// The same for whole runs: each is handed out by itself, and a thread that finds none left helps in
// the loops of the others.
template <class Body>
void parallel_runs(Index count, const Body& body) {
#ifdef __SANITIZE_THREAD__
  detail::on_plain_threads(count, body);
#else
  tbb::parallel_for(
      tbb::blocked_range<Index>(0, count, 1),
      [&](const tbb::blocked_range<Index>& one) { body(one.begin()); }, tbb::simple_partitioner());
#endif
}

// Calls work on an arena of so many threads, which the loops inside it share.
template <class Work>
void on_threads(int threads, const Work& work) {
  auto limit = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                     static_cast<std::size_t>(threads));
  std::optional<LentArena> arena;
  try {
    arena.emplace(threads);
  } catch (...) {
    // Where TBB found no memory for the arena, ending the limit would wait for ever.
    std::ignore = limit.release();
    throw;
  }
  arena->execute(work);
}

}  // namespace driftless
