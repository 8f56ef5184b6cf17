#include "driftless/cli/work_notice.hpp"

#include <gtest/gtest.h>

namespace driftless::testing {
namespace {

std::string told_within(std::chrono::milliseconds patience) {
  ::testing::internal::CaptureStderr();
  {
    WorkNotice notice(patience);
    notice.at("read 1 of 3 runs");
    notice.at("read 2 of 3 runs");
  }
  return ::testing::internal::GetCapturedStderr();
}

TEST(WorkNotice, SaysNothingOfWhatIsQuick) { EXPECT_EQ(told_within(std::chrono::hours(1)), ""); }

// Not a terminal: the next line is due in ten seconds.
TEST(WorkNotice, TellsWhatTakesLongNowAndThen) {
  EXPECT_EQ(told_within(std::chrono::milliseconds(0)), "read 1 of 3 runs …\n");
}

}  // namespace
}  // namespace driftless::testing
