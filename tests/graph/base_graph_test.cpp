#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "driftless/graph/link_sequence.hpp"
#include "tests/graph/sequence_cases.hpp"

namespace driftless {
namespace {

using testing::dense;
using testing::expect_links_of_a_round;
using testing::product_of_period;
using testing::rows_of;

TEST(BaseGraph, AveragesAnyNumberOfNodesExactlyInAPeriod) {
  for (NodeId nodes = 1; nodes <= 60; ++nodes) {
    for (int peers = 1; peers <= 4; ++peers) {
      const auto sequence = make_base_graph(nodes, peers);
      const Eigen::MatrixXd average = Eigen::MatrixXd::Constant(nodes, nodes, 1.0 / nodes);
      EXPECT_LE((product_of_period(*sequence) - average).cwiseAbs().maxCoeff(), 1e-14)
          << nodes << " nodes, " << peers << " peers";
    }
  }
}

TEST(BaseGraph, KeepsItsWordOnPeersAndRounds) {
  for (NodeId nodes = 1; nodes <= 60; ++nodes) {
    for (int peers = 1; peers <= 4; ++peers) {
      SCOPED_TRACE(std::to_string(nodes) + " nodes, " + std::to_string(peers) + " peers");
      const auto sequence = make_base_graph(nodes, peers);
      EXPECT_LE(static_cast<double>(sequence->period()),
                2 * std::log(nodes) / std::log(peers + 1) + 2);
      EXPECT_LE(sequence->most_peers(), peers);
      NodeId most = 0;
      for (Round t = 0; t < sequence->period(); ++t) {
        most = std::max(most, expect_links_of_a_round(rows_of(*sequence, t), nodes));
      }
      EXPECT_EQ(most, sequence->most_peers());
    }
  }
}

// Takezawa et al. say so of their Base-2 graph: as many rounds as the hypercube has dimensions.
TEST(BaseGraph, OfAPowerOfPeersPlusOneTakesTheLogarithm) {
  EXPECT_EQ(make_base_graph(32, 1)->period(), 5);
  EXPECT_EQ(make_base_graph(81, 2)->period(), 4);
  EXPECT_EQ(make_base_graph(125, 4)->period(), 3);
}

// Where the number of nodes has factors that each fit, as 6 = 2 · 3 at two peers.
TEST(BaseGraph, TakesARoundForEachFactor) {
  EXPECT_EQ(make_base_graph(6, 2)->period(), 2);
  EXPECT_EQ(make_base_graph(216, 7)->period(), 3);  // 6 · 6 · 6, which 8 · 3 · 3 · 3 would not be
}

// Figure 3 of the paper: 5 = 4 + 1 nodes at one peer. The node left over meets one of the four with
// weight 4/5.
TEST(BaseGraph, MeetsTheNodesLeftOver) {
  const auto sequence = make_base_graph(5, 1);
  EXPECT_EQ(sequence->period(), 5);
  const Eigen::MatrixXd meeting = dense(*sequence, 2);
  EXPECT_DOUBLE_EQ(meeting(0, 4), 0.8);
  EXPECT_DOUBLE_EQ(meeting(0, 0), 0.2);
  EXPECT_DOUBLE_EQ(meeting(4, 4), 0.2);
  EXPECT_EQ(meeting(1, 1), 1);
}

TEST(BaseGraph, OfManyNodesHasFewLinksARound) {
  const auto sequence = make_base_graph(10'007, 1);
  EXPECT_LE(sequence->period(), 2 * 14 + 2);
  for (Round t = 0; t < sequence->period(); ++t) {
    EXPECT_LE(rows_of(*sequence, t).nodes.size(), 2 * 10'007);
  }
}

}  // namespace
}  // namespace driftless
