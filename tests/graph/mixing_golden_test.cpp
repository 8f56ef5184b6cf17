// W, λ2, λn and p of twenty graphs, computed independently with NumPy.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "driftless/graph/families.hpp"
#include "driftless/graph/spectrum.hpp"
#include "driftless/graph/weights.hpp"

namespace driftless {
namespace {

Graph golden_graph(const nlohmann::json& expected) {
  const auto adjacency = expected["adjacency"].get<std::vector<std::vector<int>>>();
  const auto n = static_cast<NodeId>(adjacency.size());
  std::vector<Edge> edges;
  for (NodeId i = 0; i < n; ++i) {
    for (NodeId j = 0; j < i; ++j) {
      if (adjacency[i][j] != 0) edges.push_back({i, j});
    }
  }
  return {n, edges};
}

TEST(MixingGolden, EveryFamilyHasTheGoldenMatrixAndSpectrum) {
  const auto golden =
      nlohmann::json::parse(std::ifstream(std::string(DRIFTLESS_TEST_DATA) + "/mixing.json"));
  ASSERT_EQ(golden.size(), 20);
  for (const auto& [name, expected] : golden.items()) {
    SCOPED_TRACE(name);
    const auto n = expected["n"].get<NodeId>();
    const auto kind = expected["kind"].get<std::string>();
    const Graph graph =
        kind == "erdos" ? golden_graph(expected) : make_graph({.family = kind, .nodes = n});
    const MixingMatrix mixing = make_mixing(graph, Weights::metropolis);
    ASSERT_EQ(mixing.nodes(), n);
    const auto rows = expected["W"].get<std::vector<std::vector<double>>>();
    const Eigen::MatrixXd dense = mixing.to_dense();
    for (NodeId i = 0; i < n; ++i) {
      for (NodeId j = 0; j < n; ++j) EXPECT_NEAR(dense(i, j), rows[i][j], 1e-12);
    }
    const Spectrum found = spectrum(mixing);
    EXPECT_NEAR(found.lambda2, expected["lam2"].get<double>(), 1e-12);
    EXPECT_NEAR(found.lambda_min, expected["lam_min"].get<double>(), 1e-12);
    EXPECT_NEAR(found.p, expected["p"].get<double>(), 1e-12);
    EXPECT_NEAR(found.gap, 1 - expected["rho"].get<double>(), 1e-12);
  }
}

}  // namespace
}  // namespace driftless
