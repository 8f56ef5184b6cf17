#include "driftless/graph/sequence_mixing.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "driftless/graph/families.hpp"
#include "driftless/graph/sequence_families.hpp"
#include "driftless/graph/spectrum.hpp"
#include "tests/graph/sequence_cases.hpp"
#include "tests/support/temporary_folder.hpp"

namespace driftless {
namespace {

using testing::one_less_largest;
using testing::product_of_period;

class SequenceMixing : public ::testing::Test {
 protected:
  // The links of the rounds, one after the other: "0,0,1 0,2,3 1,1,2".
  std::unique_ptr<LinkSequence> listed(const std::string& links,
                                       std::optional<NodeId> nodes = {}) const {
    std::string text = "round,a,b\n" + links;
    std::ranges::replace(text, ' ', '\n');
    return read_link_sequence(folder_.write("input", text), nodes);
  }
  // Even edges of a ring in one round, odd ones in the other.
  std::unique_ptr<LinkSequence> alternating_ring(NodeId nodes) const {
    std::string links;
    for (NodeId parity = 0; parity < 2; ++parity) {
      for (NodeId i = parity; i < nodes; i += 2) {
        links += fmt::format("{},{},{}\n", parity, i, (i + 1) % nodes);
      }
    }
    return listed(links);
  }

 private:
  testing::TemporaryFolder folder_;
};

double p_of_dense_product(const LinkSequence& sequence) {
  const Eigen::MatrixXd product = product_of_period(sequence);
  return one_less_largest(product.transpose() * product);
}

TEST_F(SequenceMixing, KnowsTheFirstNodeThatIsNeverReached) {
  EXPECT_EQ(never_reached(*listed("0,0,1 1,1,2 2,2,3")), std::nullopt);
  EXPECT_EQ(never_reached(*listed("0,0,1 0,2,3 1,3,4 1,2,4 3,5,2")), 2);
  EXPECT_EQ(never_reached(*listed("0,1,2 7,1,3 8,2,4 9,3,4")), 1);
  EXPECT_EQ(never_reached(*listed("0,0,1", 5)), 2);
  EXPECT_EQ(never_reached(*listed("", 1)), std::nullopt);
}

TEST_F(SequenceMixing, OfEveryFamilyReachesAll) {
  for (const SequenceFamily& family : sequence_families()) {
    for (const NodeId nodes : {1, 2, 3, 12, 33}) {
      EXPECT_EQ(never_reached(*make_sequence({.family = std::string(family.name), .nodes = nodes})),
                std::nullopt);
    }
  }
}

TEST_F(SequenceMixing, IsThatOfTheProductOfAllRoundsOfThePeriod) {
  for (const NodeId nodes : {3, 6, 13, 40}) {
    const auto sequence = make_one_peer_exponential(nodes);
    const PeriodMixing mixing = period_mixing(*sequence);
    EXPECT_EQ(mixing.rounds, sequence->period());
    EXPECT_NEAR(mixing.p, p_of_dense_product(*sequence), 1e-13) << nodes;
  }
  const auto path = listed("0,0,1 3,1,2 4,0,1 4,2,3");
  EXPECT_EQ(period_mixing(*path).rounds, 5);
  EXPECT_NEAR(period_mixing(*path).p, p_of_dense_product(*path), 1e-13);
}

TEST_F(SequenceMixing, HasPOneWhereAPeriodAverages) {
  EXPECT_EQ(period_mixing(*make_one_peer_exponential(32)).p, 1);
  EXPECT_EQ(period_mixing(*make_base_graph(37, 2)).p, 1);
  EXPECT_EQ(period_mixing(*make_one_peer_exponential(1)).p, 1);
  EXPECT_EQ(period_mixing(*make_one_peer_exponential(1024)).p, 1);
}

TEST_F(SequenceMixing, HasPZeroWhereANodeIsNeverReached) {
  const PeriodMixing mixing = period_mixing(*listed("0,0,1 1,2,3 2,0,1 3,2,3"));
  EXPECT_EQ(mixing.rounds, 4);
  EXPECT_EQ(mixing.p, 0);
}

TEST_F(SequenceMixing, OfAFixedGraphIsThatOfItsSpectrum) {
  for (const NodeId nodes : {1, 2, 9}) {
    const MixingMatrix ring =
        make_mixing(make_graph({.family = "ring", .nodes = nodes}), Weights::metropolis);
    const PeriodMixing mixing = period_mixing(*make_fixed(ring));
    EXPECT_EQ(mixing.rounds, 1);
    EXPECT_EQ(mixing.p, spectrum(ring).p);
  }
}

void expect_same_dense_and_sparse(const LinkSequence& sequence, double tolerance) {
  const PeriodMixing sparse = detail::sparse_period_mixing(sequence);
  EXPECT_EQ(sparse.rounds, sequence.period());
  EXPECT_NEAR(sparse.p / detail::dense_period_mixing(sequence).p, 1, tolerance);
  EXPECT_FALSE(sparse.p_is_bound);
}

TEST_F(SequenceMixing, IsTheSameDenseAndSparse) {
  for (const NodeId nodes : {6, 100, 301}) {
    expect_same_dense_and_sparse(*make_one_peer_exponential(nodes), 1e-7);
    expect_same_dense_and_sparse(*make_lazy(make_base_graph(nodes, 2)), 1e-7);
  }
  expect_same_dense_and_sparse(*alternating_ring(60), 1e-6);
}

// Both rounds are projections. On the means of pairs, W_0 W_1 W_0 is a quarter of either neighbour
// and half of oneself: its eigenvalues are (1 + cos φ) / 2 = cos² (φ / 2) at φ = 4πk/n.
TEST_F(SequenceMixing, OfARingOfAlternatingPairsIsItsClosedForm) {
  for (const NodeId nodes : {8, 400, 2000}) {
    const double cosine = std::cos(2 * std::numbers::pi / nodes);
    EXPECT_NEAR(period_mixing(*alternating_ring(nodes)).p / (1 - cosine * cosine), 1, 1e-5)
        << nodes;
  }
}

// The mean of W² over all matchings, by hand: n = 4 has three perfect ones, n = 3 three pairs.
TEST_F(SequenceMixing, OfRandomMatchingsIsTheExpectedOne) {
  for (const bool lazy : {false, true}) {
    for (const NodeId nodes : {2, 3, 4}) {
      const double keep = lazy ? 0.75 : 0.5;
      Eigen::MatrixXd mean = Eigen::MatrixXd::Zero(nodes, nodes);
      int matchings = 0;
      for (NodeId peer = 1; peer < nodes || (nodes == 3 && peer == 3); ++peer) {
        Eigen::MatrixXd w = Eigen::MatrixXd::Identity(nodes, nodes);
        const auto pair = [&](NodeId a, NodeId b) {
          w(a, a) = w(b, b) = keep;
          w(a, b) = w(b, a) = 1 - keep;
        };
        if (peer == nodes) {
          pair(1, 2);  // of three nodes, 0 is idle
        } else {
          pair(0, peer);
          if (nodes == 4) pair(peer == 1 ? 2 : 1, peer == 3 ? 2 : 3);
        }
        mean += w * w;
        ++matchings;
      }
      const PeriodMixing mixing = period_mixing(
          *make_sequence({.family = "random_matching", .nodes = nodes, .lazy = lazy}));
      EXPECT_EQ(mixing.rounds, 1);
      EXPECT_NEAR(mixing.p, one_less_largest(mean / matchings), 1e-14) << nodes;
    }
  }
}

TEST_F(SequenceMixing, OfRandomMatchingsIsTheMeanOverManyRounds) {
  const auto sequence = make_lazy(make_lazy(make_random_matching(7, 5)));
  Eigen::MatrixXd mean = Eigen::MatrixXd::Zero(7, 7);
  constexpr Round rounds = 4000;
  for (Round t = 0; t < rounds; ++t) {
    const Eigen::MatrixXd w = testing::dense(*sequence, t);
    mean += w * w / rounds;
  }
  EXPECT_NEAR(period_mixing(*sequence).p, one_less_largest(mean), 0.02);
}

TEST_F(SequenceMixing, OfOneNodeIsComplete) {
  EXPECT_EQ(period_mixing(*make_random_matching(1, 1)).p, 1);
  EXPECT_EQ(period_mixing(*make_base_graph(1, 1)).p, 1);
}

}  // namespace
}  // namespace driftless
