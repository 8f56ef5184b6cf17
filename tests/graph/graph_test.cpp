#include "driftless/graph/graph.hpp"

#include <gtest/gtest.h>

#include "driftless/base/error.hpp"

namespace driftless {
namespace {

std::vector<NodeId> neighbours(const Graph& graph, NodeId i) {
  const auto span = graph.neighbours(i);
  return {span.begin(), span.end()};
}

TEST(Graph, ListsNeighboursAscendingAndMergesRepeatedEdges) {
  const Graph graph(4, {{3, 0}, {0, 1}, {1, 0}, {0, 3}, {2, 1}});
  EXPECT_EQ(graph.nodes(), 4);
  EXPECT_EQ(graph.edges(), 3);
  EXPECT_EQ(neighbours(graph, 0), (std::vector<NodeId>{1, 3}));
  EXPECT_EQ(neighbours(graph, 1), (std::vector<NodeId>{0, 2}));
  EXPECT_EQ(neighbours(graph, 2), (std::vector<NodeId>{1}));
  EXPECT_EQ(neighbours(graph, 3), (std::vector<NodeId>{0}));
  EXPECT_EQ(graph.degree(0), 2);
  EXPECT_EQ(graph.max_degree(), 2);
}

TEST(Graph, OfOneNodeIsConnectedAndHasNoEdge) {
  const Graph graph(1, {});
  EXPECT_EQ(graph.edges(), 0);
  EXPECT_EQ(graph.max_degree(), 0);
  EXPECT_TRUE(graph.is_connected());
}

TEST(Graph, NamesTheFirstNodeThatIsNotReachable) {
  const Graph graph(5, {{0, 4}, {1, 2}, {4, 3}});
  EXPECT_FALSE(graph.is_connected());
  EXPECT_EQ(graph.unreachable_node(), 1);
  EXPECT_EQ(Graph(3, {{0, 2}, {2, 1}}).unreachable_node(), std::nullopt);
}

TEST(Graph, RejectsWhatIsNoSimpleGraph) {
  EXPECT_THROW(Graph(3, {{0, 3}}), ConfigError);
  EXPECT_THROW(Graph(3, {{-1, 0}}), ConfigError);
  EXPECT_THROW(Graph(3, {{1, 1}}), ConfigError);
  EXPECT_THROW(Graph(0, {}), ConfigError);
  EXPECT_THROW(Graph(-1, {}), ConfigError);
  EXPECT_THROW(Graph(max_nodes + 1, {}), ConfigError);
}

}  // namespace
}  // namespace driftless
