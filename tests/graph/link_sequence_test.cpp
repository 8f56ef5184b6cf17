#include "driftless/graph/link_sequence.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "driftless/graph/families.hpp"
#include "driftless/graph/sequence_families.hpp"
#include "tests/graph/sequence_cases.hpp"
#include "tests/support/contains.hpp"

namespace driftless {
namespace {

using testing::contains;
using testing::dense;
using testing::expect_links_of_a_round;
using testing::product_of_period;
using testing::rows_of;

MixingMatrix ring(NodeId nodes) {
  return make_mixing(make_graph({.family = "ring", .nodes = nodes}), Weights::metropolis);
}

Eigen::MatrixXd mean_of_all(NodeId nodes) {
  return Eigen::MatrixXd::Constant(nodes, nodes, 1.0 / nodes);
}

TEST(SequenceFamilies, AreSymmetricAndDoublyStochasticInEveryRound) {
  for (const SequenceFamily& family : sequence_families()) {
    for (const NodeId nodes : {1, 2, 3, 4, 5, 7, 12, 31, 100}) {
      for (const bool lazy : {false, true}) {
        SCOPED_TRACE(std::string(family.name) + " of " + std::to_string(nodes));
        const auto sequence =
            make_sequence({.family = std::string(family.name), .nodes = nodes, .lazy = lazy});
        EXPECT_EQ(sequence->nodes(), nodes);
        EXPECT_EQ(sequence->period() == 0, family.random);
        NodeId most = 0;
        WeightRows rows;  // one for all rounds: what was there before is gone
        for (Round t = 0; t < std::max<Round>(sequence->period(), 10); ++t) {
          sequence->links(t, rows);
          most = std::max(most, expect_links_of_a_round(rows, nodes));
        }
        EXPECT_EQ(most, sequence->most_peers());
      }
    }
  }
}

TEST(SequenceFamilies, ComeAgainAfterAPeriod) {
  for (const SequenceFamily& family : sequence_families()) {
    if (family.random) continue;
    const auto sequence = make_sequence({.family = std::string(family.name), .nodes = 7});
    for (Round t = 0; t < sequence->period(); ++t) {
      EXPECT_EQ(dense(*sequence, t), dense(*sequence, t + 5 * sequence->period())) << family.name;
    }
  }
}

TEST(SequenceFamilies, RefuseWhatTheyCannotBe) {
  const auto fault = [](const SequenceOptions& options) -> std::string {
    try {
      make_sequence(options);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_TRUE(contains(fault({.family = "base_grpah", .nodes = 3}),
                       "unknown sequence \"base_grpah\": expected one of one_peer_exponential, "
                       "random_matching, base_graph; did you mean"));
  EXPECT_TRUE(contains(fault({.nodes = 0}), "found 0 nodes, expected 1 to 10000000"));
  EXPECT_TRUE(contains(fault({.nodes = 10'000'001}), "found 10000001 nodes"));
  EXPECT_TRUE(contains(fault({.nodes = 4, .peers = 2}), "takes no peers; base_graph does"));
  EXPECT_TRUE(contains(fault({.family = "base_graph", .nodes = 4, .peers = 4}),
                       "found peers 4, expected 1 to 3 (4 nodes)"));
  EXPECT_TRUE(contains(fault({.family = "base_graph", .nodes = 4, .peers = 0}), "found peers 0"));
  EXPECT_TRUE(contains(fault({.family = "base_graph", .nodes = 100'000, .peers = 99'999}),
                       "has up to 5e+09 links a round: expected at most 100000000"));
}

TEST(OnePeerExponential, MeetsTheNodeWhoseIdDiffersInOneBit) {
  const auto sequence = make_one_peer_exponential(6);
  ASSERT_EQ(sequence->period(), 3);
  const Eigen::MatrixXd last = dense(*sequence, 2);  // 0-4 and 1-5; 2 and 3 have nobody
  EXPECT_EQ(last(0, 4), 0.5);
  EXPECT_EQ(last(1, 5), 0.5);
  EXPECT_EQ(last(2, 2), 1);
  EXPECT_EQ(last(3, 3), 1);
}

TEST(OnePeerExponential, AveragesAPowerOfTwoExactlyInItsLogarithm) {
  for (const NodeId bits : {1, 2, 3, 5, 8}) {
    const NodeId nodes = NodeId{1} << bits;
    const auto sequence = make_one_peer_exponential(nodes);
    EXPECT_EQ(sequence->period(), bits);
    EXPECT_EQ(product_of_period(*sequence), mean_of_all(nodes));
  }
}

// All matchings that leave at most one node idle: (n − 1)!! of even n, n!! of odd n.
TEST(RandomMatching, DrawsAllMatchingsEquallyOften) {
  for (const auto& [nodes, matchings] : std::map<NodeId, std::size_t>{{4, 3}, {5, 15}, {6, 15}}) {
    constexpr Round rounds = 6000;
    const auto sequence = make_random_matching(nodes, 1);
    std::map<std::vector<NodeId>, int> found;
    for (Round t = 0; t < rounds; ++t) ++found[rows_of(*sequence, t).nodes];
    EXPECT_EQ(found.size(), matchings);
    const double share = 1.0 / static_cast<double>(matchings);
    const double deviation = std::sqrt(rounds * share * (1 - share));
    for (const auto& [matching, times] : found) {
      EXPECT_NEAR(times, rounds * share, 5 * deviation) << nodes;
    }
  }
}

TEST(RandomMatching, LeavesAtMostOneNodeIdle) {
  for (const NodeId nodes : {2, 3, 16, 101}) {
    const auto sequence = make_random_matching(nodes, 7);
    for (Round t = 0; t < 20; ++t) {
      const WeightRows rows = rows_of(*sequence, t);
      EXPECT_EQ(std::ranges::count(rows.weights, 1.0), nodes % 2);
      EXPECT_EQ(std::ranges::count(rows.weights, 0.5), nodes / 2 * 4);
    }
  }
}

TEST(RandomMatching, IsAPureFunctionOfSeedAndRound) {
  const auto one = make_random_matching(20, 3);
  const auto same = make_random_matching(20, 3);
  const auto other = make_random_matching(20, 4);
  const Eigen::MatrixXd ninth = dense(*same, 9);  // asked for before any other
  EXPECT_EQ(dense(*one, 8), dense(*same, 8));
  EXPECT_EQ(dense(*one, 9), ninth);
  EXPECT_NE(dense(*one, 8), ninth);
  EXPECT_NE(dense(*other, 9), ninth);
}

TEST(FixedLinks, AreThoseOfTheMatrixInEveryRound) {
  const auto sequence = make_fixed(ring(5));
  EXPECT_EQ(sequence->period(), 1);
  EXPECT_EQ(sequence->most_peers(), 2);
  EXPECT_EQ(dense(*sequence, 0), ring(5).to_dense());
  EXPECT_EQ(dense(*sequence, 77), ring(5).to_dense());
}

TEST(LazyLinks, AreHalfTheIdentityAndHalfTheLinks) {
  const auto lazy = make_lazy(make_one_peer_exponential(6));
  const auto whole = make_one_peer_exponential(6);
  for (Round t = 0; t < 3; ++t) {
    EXPECT_EQ(dense(*lazy, t), (dense(*whole, t) + Eigen::MatrixXd::Identity(6, 6)) / 2);
  }
  EXPECT_EQ(dense(*make_lazy(make_fixed(ring(5))), 0), ring(5).lazy().to_dense());
  EXPECT_EQ(lazy->period(), 3);
  EXPECT_EQ(dense(*make_sequence({.nodes = 6, .lazy = true}), 1), dense(*lazy, 1));
}

}  // namespace
}  // namespace driftless
