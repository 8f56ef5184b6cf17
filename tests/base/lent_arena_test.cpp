#include "driftless/base/lent_arena.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <fstream>

#include "driftless/base/parallel.hpp"

namespace driftless {
namespace {

long resident_kilobytes() {
  long all = 0;
  long resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

void use_an_arena() {
  std::atomic<Index> sum = 0;
  on_threads(2, [&] { parallel(8, [&](Index i) { sum += i; }); });
  ASSERT_EQ(sum, 28);
}

TEST(LentArena, ThousandsOneAfterTheOtherLeaveNoMemoryBehind) {
  for (int k = 0; k < 100; ++k) use_an_arena();
  const long before = resident_kilobytes();
  for (int k = 0; k < 1000; ++k) use_an_arena();
  EXPECT_LT(resident_kilobytes() - before, 2000);
}

TEST(LentArena, HasTheThreadsThatWereAskedForAlsoInsideOfAnother) {
  for (const int threads : {1, 3, 2, 3}) {
    on_threads(threads, [&] {
      EXPECT_EQ(tbb::this_task_arena::max_concurrency(), threads);
      on_threads(2, [&] { EXPECT_EQ(tbb::this_task_arena::max_concurrency(), 2); });
    });
  }
}

}  // namespace
}  // namespace driftless
