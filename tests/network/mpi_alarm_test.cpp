#include "driftless/network/mpi/mpi_alarm.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace driftless {
namespace {

constexpr double a_moment = 0.001;  // of a minute
void wait_longer() { std::this_thread::sleep_for(std::chrono::seconds(2)); }

TEST(MpiAlarm, EndsAProcessThatMpiKeepsForTooLong) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        const MpiAlarm alarm(a_moment);
        wait_longer();
      },
      ::testing::ExitedWithCode(1), "some other rank has not answered");
}

TEST(MpiAlarm, IsOffAfterwardsAndWithoutALimit) {
  { const MpiAlarm alarm(a_moment); }
  const MpiAlarm none(0);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
}

}  // namespace
}  // namespace driftless
