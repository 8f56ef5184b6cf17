#include "driftless/network/mix_plan.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "driftless/graph/families.hpp"
#include "driftless/network/weather.hpp"
#include "tests/support/instance.hpp"

namespace driftless::testing {
namespace {

MixPlan plan_of(const TopologyOptions& topology) {
  return MixPlan(make_mixing(make_graph(topology), Weights::metropolis).rows());
}

TEST(MixPlan, NeedsFewSlotsWhereNeighboursAreNear) {
  EXPECT_EQ(plan_of({.family = "ring", .nodes = 1}).slots, 1);
  EXPECT_LE(plan_of({.family = "path", .nodes = 1000}).slots, 2);
  EXPECT_LE(plan_of({.family = "ring", .nodes = 1000}).slots, 3);
  EXPECT_LE(plan_of({.family = "torus", .nodes = 400, .rows = 20, .columns = 20}).slots,
            2 * 20 + 1);
}

TEST(MixPlan, NeedsASlotForEachRowOfACompleteGraph) {
  EXPECT_EQ(plan_of({.family = "complete", .nodes = 12}).slots, 12);
}

// However far apart they are by name.
TEST(MixPlan, NeedsTwoSlotsWherePairsMeet) {
  WeightRows links;
  const auto sequence = make_one_peer_exponential(1000);
  for (Round t = 0; t < sequence->period(); ++t) {
    sequence->links(t, links);
    EXPECT_EQ(MixPlan(links).slots, 2) << "round " << t;
  }
}

TEST(MixPlan, ComputesRowsInTheirOrderWhereAllAreConnected) {
  const MixPlan plan = plan_of({.family = "exponential", .nodes = 20});
  for (NodeId i = 0; i < 20; ++i) EXPECT_EQ(plan.order[static_cast<std::size_t>(i)], i);
}

// Follows the plan with the rows' own names: when row i is computed, every row that it reads must
// still hold its old value, and its slot must be free.
RC_GTEST_PROP(MixPlan, NeverOverwritesWhatALaterRowReads, (const Instance& instance, bool drops)) {
  Weather weather(make_fixed(instance.mixing()), {.drop = drops ? 0.5 : 0.0});
  weather.begin(0);
  const WeightRows& links = weather.links();
  const MixPlan plan(links);
  std::vector<bool> is_new(static_cast<std::size_t>(links.size()), false);
  std::vector<NodeId> holds(static_cast<std::size_t>(plan.slots), -1);
  std::size_t moved = 0;
  for (std::size_t k = 0; k < plan.order.size(); ++k) {
    const NodeId i = plan.order[k];
    for (const NodeId j : links.row(i).nodes) RC_ASSERT(!is_new[static_cast<std::size_t>(j)]);
    auto& slot = holds[static_cast<std::size_t>(plan.slot[static_cast<std::size_t>(i)])];
    RC_ASSERT(slot == -1);
    slot = i;
    for (; moved < static_cast<std::size_t>(plan.settled_end[k]); ++moved) {
      const auto j = static_cast<std::size_t>(plan.settled[moved]);
      auto& from = holds[static_cast<std::size_t>(plan.slot[j])];
      RC_ASSERT(from == static_cast<NodeId>(j));
      from = -1;
      is_new[j] = true;
    }
  }
  RC_ASSERT(std::ranges::count(is_new, true) == links.size());
}

}  // namespace
}  // namespace driftless::testing
