#include "driftless/network/round_time.hpp"

#include <gtest/gtest.h>

#include "driftless/graph/families.hpp"
#include "driftless/graph/weights.hpp"

namespace driftless::testing {
namespace {

MixingMatrix mixing(const std::string& family, NodeId nodes) {
  return make_mixing(make_graph({.family = family, .nodes = nodes}), Weights::metropolis);
}

constexpr RoundTimeOptions slow_links{
    .message = 1000, .step = 1e-3, .latency = 0.5, .bandwidth = 1e4};

RoundTimeOptions over(int machines) {
  RoundTimeOptions options = slow_links;
  options.machines = machines;
  return options;
}

TEST(RoundTime, OfANodeAMachineIsStepsLatencyAndTheBytesOfTheBusiest) {
  const RoundTime ring = round_time(mixing("ring", 10), 7, over(10));
  EXPECT_DOUBLE_EQ(ring.local, 7e-3);
  EXPECT_DOUBLE_EQ(ring.exchange, 0.5 + 2 * 0.1);  // two neighbours
  const RoundTime star = round_time(mixing("star", 10), 7, over(10));
  EXPECT_DOUBLE_EQ(star.exchange, 0.5 + 9 * 0.1);  // all through the centre
  EXPECT_DOUBLE_EQ(star.seconds(), star.local + star.exchange);
}

TEST(RoundTime, SharesAMachineAmongItsNodesAndItsLinkAmongItsEdges) {
  // 0 1 2 | 3 4 5 | 6 7 8 of a ring: one row goes out at either end.
  const RoundTime ring = round_time(mixing("ring", 9), 2, over(3));
  EXPECT_DOUBLE_EQ(ring.local, 3 * 2 * 1e-3);
  EXPECT_DOUBLE_EQ(ring.exchange, 0.5 + 2 * 0.1);
  // Where all talk to all, every row goes once to each of the two other machines, and six arrive.
  EXPECT_DOUBLE_EQ(round_time(mixing("complete", 9), 2, over(3)).exchange, 0.5 + 6 * 0.1);
}

TEST(RoundTime, OnOneMachineHasNoMessages) {
  EXPECT_DOUBLE_EQ(round_time(mixing("ring", 5), 1, over(1)).exchange, 0);
}

}  // namespace
}  // namespace driftless::testing
