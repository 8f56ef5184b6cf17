// Conditions that are none.
#include "driftless/network/conditions.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/support/trial.hpp"
#include "tests/support/weathered.hpp"

namespace driftless::testing {
namespace {

RC_GTEST_PROP(Conditions, ThatAskForNothingLeaveTheNetworkAsItIs, ()) {
  const Weathered w = *any_weathered(methods_of_neighbours(), {.changing_links = false,
                                                               .pauses = false,
                                                               .crashes = false,
                                                               .late_letters = false,
                                                               .slow_nodes = false,
                                                               .codecs = false});
  const auto problem = w.instance.problem();
  Trial fair(w.kind, *problem, w.instance.mixing(), w.instance.options());
  Trial asked(w.kind, *problem, w.conditions(), w.instance.options());
  RC_ASSERT(asked.network().weather() == nullptr);
  RC_ASSERT(asked.network().state<double>().dim() == 0);
  RC_ASSERT(apart(fair, asked) == 0);
  RC_ASSERT(fair.network().traffic().counts() == asked.network().traffic().counts());
}

TEST(Conditions, ThatNeverComeToPassKeepTheBits) {
  const Instance instance{.family = "ring", .nodes = 6, .dim = 3, .rows = 3};
  const auto problem = instance.problem();
  Trial fair("k-gt", *problem, instance.mixing(), instance.options());
  Trial asked(
      "k-gt", *problem,
      Conditions{.links = make_fixed(instance.mixing()),
                 .trace = {{.round = 1000, .event = Event::link_down, .node = 0, .peer = 1}}},
      instance.options());
  ASSERT_NE(asked.network().weather(), nullptr);
  EXPECT_EQ(apart(fair, asked), 0);
  EXPECT_EQ(fair.network().traffic().total(), asked.network().traffic().total());
  EXPECT_EQ(fair.network().traffic().busiest(), asked.network().traffic().busiest());
}

}  // namespace
}  // namespace driftless::testing
