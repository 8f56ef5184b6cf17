#include "driftless/graph/families.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "driftless/base/error.hpp"
#include "tests/support/contains.hpp"

namespace driftless {
namespace {

using testing::contains;

// "0-1 1-2 …": every edge once, ascending.
std::string edges_of(const Graph& graph) {
  std::string text;
  for (NodeId i = 0; i < graph.nodes(); ++i) {
    for (const NodeId j : graph.neighbours(i)) {
      if (j > i) text += std::to_string(i) + "-" + std::to_string(j) + " ";
    }
  }
  return text;
}

std::string edges_of(const std::string& family, NodeId nodes) {
  return edges_of(make_graph({.family = family, .nodes = nodes}));
}

std::string fault_of(const TopologyOptions& options) {
  try {
    make_graph(options);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(Families, HaveTheEdgesOfTheirNames) {
  EXPECT_EQ(edges_of("ring", 5), "0-1 0-4 1-2 2-3 3-4 ");
  EXPECT_EQ(edges_of("path", 4), "0-1 1-2 2-3 ");
  EXPECT_EQ(edges_of("star", 4), "0-1 0-2 0-3 ");
  EXPECT_EQ(edges_of("complete", 4), "0-1 0-2 0-3 1-2 1-3 2-3 ");
  EXPECT_EQ(edges_of("torus", 6), "0-1 0-2 0-3 1-2 1-4 2-5 3-4 3-5 4-5 ");
  EXPECT_EQ(edges_of("hypercube", 4), "0-1 0-2 1-3 2-3 ");
  EXPECT_EQ(edges_of("exponential", 7),  // hops 1, 2, 4 ≡ −3: everyone
            edges_of("complete", 7));
  EXPECT_EQ(edges_of("binary_tree", 6), "0-1 0-2 1-3 1-4 2-5 ");
  EXPECT_EQ(edges_of("barbell", 6), "0-1 0-2 1-2 2-3 3-4 3-5 4-5 ");
  EXPECT_EQ(edges_of("barbell", 5), "0-1 0-2 1-2 2-3 3-4 ");
}

TEST(Families, OfOneAndTwoNodesAreAPointAndAnEdge) {
  for (const GraphFamily& family : graph_families()) {
    EXPECT_EQ(edges_of(std::string(family.name), 1), "") << family.name;
    EXPECT_EQ(edges_of(std::string(family.name), 2), "0-1 ") << family.name;
  }
}

TEST(Families, ATorusIsNearestToSquareAndARingForAPrime) {
  const TopologyOptions twelve = resolve_topology({.family = "torus", .nodes = 12});
  EXPECT_EQ(twelve.rows, 3);
  EXPECT_EQ(twelve.columns, 4);
  EXPECT_EQ(edges_of("torus", 7), edges_of("ring", 7));
  EXPECT_EQ(resolve_topology({.family = "torus", .nodes = 12, .columns = 6}).rows, 2);
  // Two rows: the edge up is the edge down.
  const Graph ladder = make_graph({.family = "torus", .nodes = 8, .rows = 2});
  EXPECT_EQ(ladder.edges(), 12);
  EXPECT_EQ(ladder.max_degree(), 3);
}

TEST(Families, DefaultsAreTheDocumentedOnes) {
  const auto probability = [](NodeId n) {
    return *resolve_topology({.family = "erdos_renyi", .nodes = n}).edge_probability;
  };
  EXPECT_DOUBLE_EQ(probability(100), 2 * std::log(100) / 100);
  EXPECT_LE(probability(3), 1);
  EXPECT_DOUBLE_EQ(*resolve_topology({.family = "random_geometric", .nodes = 100}).radius,
                   std::sqrt(3 * std::log(100) / (100 * std::acos(-1))));
  for (const NodeId n : {1, 2, 3, 4, 5, 100}) {
    EXPECT_EQ(resolve_topology({.family = "random_regular", .nodes = n}).degree,
              std::min(4, n - 1));
  }
}

TEST(Families, RandomRegularIsRegular) {
  for (const NodeId n : {5, 6, 8, 20, 51, 1000}) {
    for (int degree = 2; degree < std::min(n, 40); ++degree) {
      if (n * degree % 2 == 1 || (n == 1000 && degree == 2)) continue;
      const Graph graph =
          make_graph({.family = "random_regular", .nodes = n, .degree = degree, .seed = 7});
      for (NodeId i = 0; i < n; ++i) ASSERT_EQ(graph.degree(i), degree) << n << " " << i;
    }
  }
}

TEST(Families, ErdosRenyiHasTheExpectedEdges) {
  const NodeId n = 20'000;
  const double probability = 0.002;
  const Graph graph =
      make_graph({.family = "erdos_renyi", .nodes = n, .edge_probability = probability});
  const double pairs = 0.5 * n * (n - 1);
  EXPECT_NEAR(graph.edges(), pairs * probability, 6 * std::sqrt(pairs * probability));
  EXPECT_EQ(make_graph({.family = "erdos_renyi", .nodes = 50, .edge_probability = 1}).edges(),
            50 * 49 / 2);
}

TEST(Families, ErdosRenyiTreatsEveryPairAlike) {
  // Of 2,000 graphs, each pair of 6 nodes is an edge in about 0.7 of those that are connected; the
  // condition favours all pairs alike.
  std::vector<int> counts(36, 0);
  const int graphs = 2000;
  for (int seed = 0; seed < graphs; ++seed) {
    const Graph graph = make_graph({.family = "erdos_renyi",
                                    .nodes = 6,
                                    .edge_probability = 0.7,
                                    .seed = static_cast<std::uint64_t>(seed)});
    for (NodeId i = 0; i < 6; ++i) {
      for (const NodeId j : graph.neighbours(i)) ++counts[i * 6 + j];
    }
  }
  for (NodeId i = 0; i < 6; ++i) {
    for (NodeId j = 0; j < i; ++j) EXPECT_NEAR(counts[i * 6 + j], 0.7 * graphs, 120) << i << j;
  }
}

TEST(Families, RandomGeometricOfLargeRadiusIsComplete) {
  EXPECT_EQ(make_graph({.family = "random_geometric", .nodes = 30, .radius = 1.5}).edges(),
            30 * 29 / 2);
}

TEST(Families, RandomGeometricHasTheExpectedEdges) {
  // Two points of the unit square are within r with probability πr² − 8r³/3 + r⁴/2.
  const double r = 0.05;
  const double probability = std::acos(-1) * r * r - 8 * r * r * r / 3 + r * r * r * r / 2;
  const Graph graph = make_graph({.family = "random_geometric", .nodes = 4000, .radius = r});
  const double expected = 0.5 * 4000 * 3999 * probability;
  EXPECT_NEAR(graph.edges(), expected, 0.05 * expected);
}

TEST(Families, DifferentSeedsGiveDifferentGraphs) {
  for (const GraphFamily& family : graph_families()) {
    if (!family.random) continue;
    const auto with_seed = [&](std::uint64_t seed) {
      return edges_of(make_graph({.family = std::string(family.name), .nodes = 50, .seed = seed}));
    };
    EXPECT_NE(with_seed(1), with_seed(2)) << family.name;
    EXPECT_NE(with_seed(1), with_seed(1 + (std::uint64_t{1} << 32))) << family.name;
  }
}

TEST(Families, RejectWhatCannotBeBuilt) {
  const std::vector<std::pair<TopologyOptions, std::string>> cases = {
      {{.family = "rign", .nodes = 5}, "unknown topology \"rign\": expected one of ring, path"},
      {{.family = "ring"}, "found 0 nodes"},
      {{.family = "ring", .nodes = -3}, "found -3 nodes"},
      {{.family = "ring", .nodes = max_nodes + 1}, "expected 1 to 10000000"},
      {{.family = "complete", .nodes = 100'000}, "5e+09 edges"},
      {{.family = "barbell", .nodes = 100'000}, "2.5e+09 edges"},
      {{.family = "torus", .nodes = 12, .rows = 5}, "5 rows or columns do not divide 12"},
      {{.family = "torus", .nodes = 12, .rows = 0}, "0 rows"},
      {{.family = "torus", .nodes = 12, .rows = 2, .columns = 3}, "2 rows x 3 columns are not 12"},
      {{.family = "hypercube", .nodes = 12}, "such as 8 or 16"},
      {{.family = "erdos_renyi", .nodes = 9, .edge_probability = 0}, "edge_probability 0"},
      {{.family = "erdos_renyi", .nodes = 9, .edge_probability = 1.5}, "edge_probability 1.5"},
      {{.family = "erdos_renyi", .nodes = 9, .edge_probability = std::nan("")}, "nan"},
      {{.family = "erdos_renyi", .nodes = 100'000, .edge_probability = 1}, "5e+09 edges"},
      {{.family = "erdos_renyi", .nodes = 900, .edge_probability = 1e-6}, "raise edge_probability"},
      {{.family = "random_regular", .nodes = 9, .degree = 3}, "must be even"},
      {{.family = "random_regular", .nodes = 9, .degree = 9}, "expected 1 to 8"},
      {{.family = "random_regular", .nodes = 9, .degree = 0}, "expected 1 to 8"},
      {{.family = "random_regular", .nodes = 10, .degree = 1}, "raise degree"},
      {{.family = "random_geometric", .nodes = 9, .radius = 0}, "radius 0"},
      {{.family = "random_geometric", .nodes = 9, .radius = -1}, "radius -1"},
      {{.family = "random_geometric", .nodes = 900, .radius = 1e-9}, "raise radius"},
      {{.family = "ring", .nodes = 9, .degree = 2}, "ring takes no degree; random_regular does"},
      {{.family = "star", .nodes = 9, .rows = 3}, "star takes no rows; torus does"},
      {{.family = "torus", .nodes = 9, .radius = 1}, "takes no radius; random_geometric does"},
      {{.family = "random_regular", .nodes = 9, .edge_probability = 1}, "erdos_renyi does"},
  };
  for (const auto& [options, message] : cases) EXPECT_TRUE(contains(fault_of(options), message));
}

}  // namespace
}  // namespace driftless
