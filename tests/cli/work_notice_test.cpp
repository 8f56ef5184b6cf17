#include "driftless/cli/work_notice.hpp"

#include <gtest/gtest.h>

namespace driftless::testing {
namespace {

using std::chrono::milliseconds;

// What is told of work that takes so long and says nothing meanwhile.
std::string told_of_work_of(milliseconds duration, milliseconds patience) {
  ::testing::internal::CaptureStderr();
  {
    WorkNotice notice(patience);
    notice.at("read 1 of 3 runs");
    notice.at("read 2 of 3 runs");
    std::this_thread::sleep_for(duration);
  }
  return ::testing::internal::GetCapturedStderr();
}

TEST(WorkNotice, SaysNothingOfWhatIsQuick) {
  EXPECT_EQ(told_of_work_of(milliseconds(0), std::chrono::hours(1)), "");
}

// Not a terminal: the next line is due in ten seconds.
TEST(WorkNotice, TellsWhatTakesLongNowAndThen) {
  EXPECT_EQ(told_of_work_of(milliseconds(1000), milliseconds(100)), "read 2 of 3 runs …\n");
}

}  // namespace
}  // namespace driftless::testing
