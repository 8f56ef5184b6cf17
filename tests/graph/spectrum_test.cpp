#include "driftless/graph/spectrum.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "driftless/graph/families.hpp"
#include "driftless/graph/weights.hpp"

namespace driftless {
namespace {

MixingMatrix metropolis(const TopologyOptions& options) {
  return make_mixing(make_graph(options), Weights::metropolis);
}

// Neighbours on a ring give and take a half each: nobody keeps anything.
MixingMatrix ring_of_halves(NodeId n) {
  return MixingMatrix([n] {
    WeightRows rows{{0}, {}, {}};
    for (NodeId i = 0; i < n; ++i) {
      const NodeId left = (i + n - 1) % n;
      const NodeId right = (i + 1) % n;
      rows.nodes.insert(rows.nodes.end(), {std::min(left, right), std::max(left, right)});
      rows.weights.insert(rows.weights.end(), {0.5, 0.5});
      rows.start.push_back(rows.nodes.size());
    }
    return rows;
  }());
}

double squared_sine(double angle) { return std::sin(angle) * std::sin(angle); }

// 1 − λ2 of the ring, without the cancellation of 1/3 + 2/3 cos(2π/n).
double ring_gap(NodeId n) { return 4.0 / 3 * squared_sine(std::numbers::pi / n); }

void expect_relative(double found, double expected, double tolerance) {
  EXPECT_NEAR(found / expected, 1, tolerance) << found << " for " << expected;
}

TEST(Spectrum, OfOneNodeMixesAtOnce) {
  const Spectrum found = spectrum(make_mixing(Graph(1, {}), Weights::metropolis));
  EXPECT_EQ(found.p, 1);
  EXPECT_EQ(found.gap, 1);
}

TEST(Spectrum, OfTwoNodesHasOneEigenvalueBesidesOne) {
  Eigen::MatrixXd matrix(2, 2);
  matrix << 0.9, 0.1, 0.1, 0.9;
  const Spectrum found = spectrum(MixingMatrix::from_dense(matrix));
  EXPECT_NEAR(found.lambda2, 0.8, 1e-15);
  EXPECT_NEAR(found.lambda_min, 0.8, 1e-15);
  EXPECT_NEAR(found.gap, 0.2, 1e-15);
  EXPECT_NEAR(found.p, 0.36, 1e-15);
}

TEST(Spectrum, IsRuledByTheSmallestEigenvalueIfThatIsFarther) {
  Eigen::MatrixXd matrix(2, 2);
  matrix << 0.1, 0.9, 0.9, 0.1;
  const Spectrum found = spectrum(MixingMatrix::from_dense(matrix));
  EXPECT_NEAR(found.lambda_min, -0.8, 1e-15);
  EXPECT_NEAR(found.gap, 0.2, 1e-15);
}

TEST(Spectrum, OfNodesThatOnlySwapHasPZero) {
  for (const NodeId n : {4, 1000, 20'000}) {
    const Spectrum found = spectrum(ring_of_halves(n));
    EXPECT_EQ(found.lambda_min, -1) << n;
    EXPECT_EQ(found.gap, 0) << n;
    EXPECT_EQ(found.p, 0) << n;
  }
}

TEST(Spectrum, KeepsTheDigitsOfATinyGapAtTheLowerEnd) {
  // λn = −cos(π/n), so 1 + λn = 2 sin²(π/2n) is a quarter of 1 − λ2.
  for (const NodeId n : {499, 501, 10'001}) {
    const Spectrum found = spectrum(ring_of_halves(n));
    expect_relative(found.gap, 2 * squared_sine(std::numbers::pi / (2.0 * n)), 1e-6);
  }
}

TEST(Spectrum, OfARingIsItsClosedForm) {
  for (const NodeId n : {10, 500, 502, 100'000}) {
    const Spectrum found = spectrum(metropolis({.family = "ring", .nodes = n}));
    const double gap = ring_gap(n);
    expect_relative(found.gap, gap, 1e-6);
    expect_relative(found.p, gap * (2 - gap), 1e-6);
    EXPECT_NEAR(found.lambda_min, -1.0 / 3, 1e-8) << n;
  }
}

TEST(Spectrum, OfATorusIsItsClosedForm) {
  const Spectrum found =
      spectrum(metropolis({.family = "torus", .nodes = 99'856, .rows = 316, .columns = 316}));
  expect_relative(found.gap, 4.0 / 5 * squared_sine(std::numbers::pi / 316), 1e-6);
  EXPECT_NEAR(found.lambda_min, -3.0 / 5, 1e-8);
}

TEST(Spectrum, OfAHypercubeIsItsClosedForm) {
  // Degree 16: the eigenvalues are 1 − 2k/17.
  const Spectrum found = spectrum(metropolis({.family = "hypercube", .nodes = 65'536}));
  EXPECT_NEAR(found.lambda2, 15.0 / 17, 1e-10);
  EXPECT_NEAR(found.lambda_min, -15.0 / 17, 1e-10);
}

TEST(Spectrum, OfAStarIsItsClosedForm) {
  const Spectrum found = spectrum(metropolis({.family = "star", .nodes = 100'000}));
  expect_relative(found.gap, 1e-5, 1e-7);
  EXPECT_NEAR(found.lambda_min, 0, 1e-10);
}

TEST(Spectrum, IsTheSameDenseAndSparse) {
  for (const GraphFamily& family : graph_families()) {
    SCOPED_TRACE(family.name);
    const MixingMatrix mixing = metropolis({.family = std::string(family.name), .nodes = 256});
    const Spectrum dense = detail::dense_spectrum(mixing);
    const Spectrum sparse = detail::sparse_spectrum(mixing);
    expect_relative(sparse.gap, dense.gap, 1e-7);
    expect_relative(sparse.p, dense.p, 1e-7);
    EXPECT_NEAR(sparse.lambda2, dense.lambda2, 1e-8);
    EXPECT_NEAR(sparse.lambda_min, dense.lambda_min, 1e-8);
  }
}

}  // namespace
}  // namespace driftless
