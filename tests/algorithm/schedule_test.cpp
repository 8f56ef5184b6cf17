#include "driftless/algorithm/schedule.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace driftless {
namespace {

using Kind = Schedule::Kind;

TEST(Schedule, OfNothingIsConstant) {
  const Schedule schedule;
  for (const Round t : {0, 1, 1000}) EXPECT_EQ(schedule(t), 1.0);
}

TEST(Schedule, RampsUpBeforeAnythingElse) {
  const Schedule schedule{.kind = Kind::step, .warmup_rounds = 3, .every = 2, .factor = 0.5};
  const double expected[] = {0.25, 0.5, 0.75, 1, 1, 0.5, 0.5, 0.25};
  for (Round t = 0; t < 8; ++t) EXPECT_DOUBLE_EQ(schedule(t), expected[t]) << "round " << t;
}

TEST(Schedule, FallsInSteps) {
  const Schedule schedule{.kind = Kind::step, .every = 10, .factor = 0.1};
  EXPECT_EQ(schedule(9), 1.0);
  EXPECT_DOUBLE_EQ(schedule(10), 0.1);
  EXPECT_DOUBLE_EQ(schedule(29), 0.01);
}

TEST(Schedule, FallsAlongACosineToItsFloor) {
  const Schedule schedule{.kind = Kind::cosine, .floor = 0.2, .rounds = 100};
  EXPECT_EQ(schedule(0), 1.0);
  EXPECT_DOUBLE_EQ(schedule(50), 0.6);
  EXPECT_DOUBLE_EQ(schedule(25), 0.2 + 0.8 * 0.5 * (1 + std::sqrt(0.5)));
  EXPECT_DOUBLE_EQ(schedule(100), 0.2);
  EXPECT_DOUBLE_EQ(schedule(1000), 0.2) << "stays there";
}

TEST(Schedule, NeverReachesZeroWithinTheRun) {
  const Schedule schedule{.kind = Kind::cosine, .floor = 0.0, .rounds = 100};
  EXPECT_GT(schedule(99), 0);
}

TEST(Schedule, FallsAsTheInverseRoot) {
  const Schedule schedule{.kind = Kind::inverse_sqrt, .scale = 4};
  EXPECT_EQ(schedule(0), 1.0);
  EXPECT_DOUBLE_EQ(schedule(12), 0.5);
}

}  // namespace
}  // namespace driftless
