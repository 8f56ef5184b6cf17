// p of a graph whose links drop, each by itself.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <string>

#include "driftless/base/error.hpp"
#include "driftless/graph/families.hpp"
#include "driftless/graph/sequence_mixing.hpp"
#include "driftless/graph/spectrum.hpp"
#include "tests/graph/sequence_cases.hpp"

namespace driftless {
namespace {

using testing::one_less_largest;

MixingMatrix mixing_of(const TopologyOptions& options, Weights weights = Weights::metropolis) {
  return make_mixing(make_graph(options), weights);
}

// The mean of W_t² over every set of links that may be up.
double p_over_all_sets(const MixingMatrix& mixing, double drop) {
  const NodeId n = mixing.nodes();
  const Eigen::MatrixXd whole = mixing.to_dense();
  std::vector<std::pair<NodeId, NodeId>> links;
  for (NodeId i = 0; i < n; ++i) {
    for (NodeId j = i + 1; j < n; ++j) {
      if (whole(i, j) > 0) links.emplace_back(i, j);
    }
  }
  Eigen::MatrixXd mean = Eigen::MatrixXd::Zero(n, n);
  for (unsigned up = 0; up < 1U << links.size(); ++up) {
    Eigen::MatrixXd w = Eigen::MatrixXd::Identity(n, n);
    for (std::size_t k = 0; k < links.size(); ++k) {
      if ((up >> k & 1U) == 0) continue;
      const auto [i, j] = links[k];
      w(i, j) = w(j, i) = whole(i, j);
      w(i, i) -= whole(i, j);
      w(j, j) -= whole(i, j);
    }
    const int ups = std::popcount(up);
    const int downs = static_cast<int>(links.size()) - ups;
    mean += std::pow(1 - drop, ups) * std::pow(drop, downs) * w * w;
  }
  return one_less_largest(mean);
}

TEST(ExpectedMixing, IsThatOfTheMeanOverAllSetsOfLinks) {
  for (const double drop : {0.1, 0.5, 0.9}) {
    for (const TopologyOptions& options : std::vector<TopologyOptions>{
             {.family = "path", .nodes = 2},
             {.family = "ring", .nodes = 7},
             {.family = "star", .nodes = 6},
             {.family = "complete", .nodes = 4},
             {.family = "erdos_renyi", .nodes = 6, .edge_probability = 0.6}}) {
      const MixingMatrix mixing = mixing_of(options);
      ASSERT_LE(mixing.edges(), 12);
      EXPECT_NEAR(expected_p(mixing, drop), p_over_all_sets(mixing, drop), 1e-13) << options.family;
    }
  }
}

TEST(ExpectedMixing, WithoutDropsIsThatOfTheSpectrumAndWithNothingElseZero) {
  const MixingMatrix ring = mixing_of({.family = "ring", .nodes = 10});
  EXPECT_EQ(expected_p(ring, 0), spectrum(ring).p);
  EXPECT_NEAR(expected_p(ring, 1e-12), spectrum(ring).p, 1e-11);
  EXPECT_EQ(expected_p(ring, 1), 0);
  EXPECT_EQ(expected_p(mixing_of({.family = "ring", .nodes = 1}), 1), 1);
}

TEST(ExpectedMixing, IsTheSameDenseAndSparse) {
  for (const GraphFamily& family : graph_families()) {
    const MixingMatrix mixing = mixing_of({.family = std::string(family.name), .nodes = 64});
    for (const double drop : {0.05, 0.6}) {
      const double dense = detail::dense_expected_p(mixing, drop);
      EXPECT_NEAR(detail::sparse_expected_p(mixing, drop) / dense, 1, 1e-6) << family.name;
    }
  }
}

// On a ring all three parts of it are circulant: at angle φ, L is ℓ = 2/3 (1 − cos φ) and S is ℓ/3.
TEST(ExpectedMixing, OfALargeRingIsItsClosedForm) {
  constexpr double drop = 0.3;
  for (const NodeId nodes : {499, 2000}) {
    const double sine = std::sin(std::acos(-1.0) / nodes);
    const double laplacian = 4.0 / 3 * sine * sine;
    const double p = (1 - drop) * laplacian * (2 - (1 - drop) * laplacian - 2 * drop / 3);
    EXPECT_NEAR(expected_p(mixing_of({.family = "ring", .nodes = nodes}), drop) / p, 1, 1e-6);
  }
}

TEST(ExpectedMixing, RefusesAShareThatIsNone) {
  const MixingMatrix ring = mixing_of({.family = "ring", .nodes = 3});
  for (const double drop : {-0.1, 1.1, std::nan("")}) {
    EXPECT_THROW(expected_p(ring, drop), ConfigError);
  }
}

}  // namespace
}  // namespace driftless
