#include "driftless/record/how_far.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

TEST(HowFar, TellsRunsRoundsLossSpeedAndTheTimeLeft) {
  const HowFar far{.runs = 3, .ended = 1, .rounds = 300, .done = 150, .loss = 0.5, .seconds = 3};
  EXPECT_EQ(far.text(), "run 2/3  round 150/300  loss 0.5  50 rounds/s  3 s left");
  EXPECT_EQ(far.share(), 0.5);
}

TEST(HowFar, CountsWhatWasDoneBeforeButNotIntoTheSpeed) {
  const HowFar far{.runs = 3,
                   .ended = 2,
                   .rounds = 300,
                   .done = 250,
                   .done_before = 240,
                   .loss = 0.5,
                   .seconds = 2};
  EXPECT_EQ(far.text(), "run 3/3  round 250/300  loss 0.5  5 rounds/s  10 s left");
  EXPECT_EQ(far.share(), 250.0 / 300);
}

TEST(HowFar, TellsNoLossBeforeThereIsOne) {
  const HowFar far{.runs = 1, .rounds = 100, .done = 50, .seconds = 1};
  EXPECT_EQ(far.text(), "round 50/100  50 rounds/s  1 s left");
}

TEST(HowFar, GuessesNoTimeFromTheFirstFewRounds) {
  const HowFar far{.runs = 1, .rounds = 1000, .done = 510, .done_before = 500, .seconds = 1};
  EXPECT_EQ(far.text(), "round 510/1000  10 rounds/s");
}

TEST(HowFar, LeavesOutTheLeastImportantOnANarrowTerminal) {
  const HowFar far{.runs = 3, .ended = 1, .rounds = 300, .done = 150, .loss = 0.5, .seconds = 3};
  const std::string all =
      "[############............]   50 %  run 2/3  round 150/300  loss 0.5  50 rounds/s  3 s left";
  EXPECT_EQ(far.line(90), all);
  EXPECT_EQ(far.line(89),
            "[############............]   50 %  run 2/3  round 150/300  loss 0.5  3 s left");
  EXPECT_EQ(far.line(70), "[############............]   50 %  run 2/3  round 150/300  3 s left");
  EXPECT_EQ(far.line(43), "[############............]   50 %  3 s left");
  EXPECT_EQ(far.line(39), " 50 %  run 2/3  round 150/300  3 s left");
  EXPECT_EQ(far.line(29), " 50 %  run 2/3  3 s left");
  EXPECT_EQ(far.line(16), " 50 %  3 s left");
  EXPECT_EQ(far.line(12), " 50 %");
}

}  // namespace
}  // namespace driftless
