#include "driftless/graph/mixing_matrix.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "driftless/base/error.hpp"
#include "driftless/graph/families.hpp"
#include "driftless/graph/weights.hpp"
#include "tests/support/contains.hpp"

namespace driftless {
namespace {

using testing::contains;

Eigen::MatrixXd path_of_three() {
  Eigen::MatrixXd matrix(3, 3);
  matrix << 0.75, 0.25, 0, 0.25, 0.5, 0.25, 0, 0.25, 0.75;
  return matrix;
}

// The message of the fault, "" if there is none.
std::string fault_of(const Eigen::MatrixXd& matrix) {
  try {
    MixingMatrix::from_dense(matrix, "w");
  } catch (const DataError& error) {
    return error.what();
  }
  return "";
}

TEST(MixingMatrix, GivesRowsAscendingWithTheirDiagonal) {
  const MixingMatrix mixing = MixingMatrix::from_dense(path_of_three());
  EXPECT_EQ(mixing.nodes(), 3);
  EXPECT_EQ(mixing.edges(), 2);
  EXPECT_EQ(mixing.degree(0), 1);
  EXPECT_EQ(mixing.degree(1), 2);
  EXPECT_EQ(mixing.max_degree(), 2);
  EXPECT_EQ(mixing.self_weight(2), 0.75);
  const auto [nodes, weights] = mixing.row(2);
  EXPECT_EQ(std::vector<NodeId>(nodes.begin(), nodes.end()), (std::vector<NodeId>{1, 2}));
  EXPECT_EQ(std::vector<double>(weights.begin(), weights.end()), (std::vector<double>{0.25, 0.75}));
  EXPECT_EQ(mixing.to_dense(), path_of_three());
}

TEST(MixingMatrix, KeepsADiagonalOfZeroWeight) {
  Eigen::MatrixXd swap(2, 2);
  swap << 0, 1, 1, 0;
  const MixingMatrix mixing = MixingMatrix::from_dense(swap);
  ASSERT_EQ(mixing.row(0).nodes.size(), 2);
  EXPECT_EQ(mixing.self_weight(0), 0);
  EXPECT_EQ(mixing.self_weight(1), 0);
  EXPECT_EQ(mixing.degree(0), 1);
}

TEST(MixingMatrix, OfOneNodeIsOne) {
  const MixingMatrix mixing = make_mixing(Graph(1, {}), Weights::metropolis);
  EXPECT_EQ(mixing.self_weight(0), 1);
  EXPECT_EQ(mixing.edges(), 0);
  EXPECT_EQ(fault_of(Eigen::MatrixXd::Identity(1, 1)), "");
}

TEST(MixingMatrix, LazyIsTheAverageWithTheIdentity) {
  const MixingMatrix lazy = MixingMatrix::from_dense(path_of_three()).lazy();
  EXPECT_EQ(lazy.to_dense(), (path_of_three() + Eigen::MatrixXd::Identity(3, 3)) / 2);
}

TEST(MixingMatrix, RejectsADisconnectedGraph) {
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(4, 4);
  matrix(0, 2) = matrix(2, 0) = matrix(1, 3) = matrix(3, 1) = 1;
  EXPECT_TRUE(contains(fault_of(matrix), "node 0 to node 1"));
  EXPECT_THROW(make_mixing(Graph(3, {{0, 1}}), Weights::metropolis), DataError);
}

TEST(MixingMatrix, RejectsAShapeThatIsNotSquare) {
  EXPECT_TRUE(contains(fault_of(Eigen::MatrixXd::Zero(2, 3)), "2 rows and 3 columns"));
  EXPECT_NE(fault_of(Eigen::MatrixXd::Zero(0, 0)), "");
}

TEST(MixingMatrix, NamesTheRowOfEveryFault) {
  Eigen::MatrixXd sum = path_of_three();
  sum(2, 2) += 1e-3;
  EXPECT_TRUE(contains(fault_of(sum), "row 2 sums to 1.001"));
  EXPECT_TRUE(contains(fault_of(sum), "column 2 sums to 1.001"));

  Eigen::MatrixXd asymmetric = path_of_three();
  asymmetric.row(0) << 0.5, 0.5, 0;
  EXPECT_TRUE(contains(fault_of(asymmetric), "entry (0, 1) is 0.5 but (1, 0) is 0.25"));

  Eigen::MatrixXd one_sided = path_of_three();
  one_sided(0, 2) = 1e-13;
  EXPECT_TRUE(contains(fault_of(one_sided), "entry (0, 2) is 1e-13 but (2, 0) is 0"));

  Eigen::MatrixXd negative = path_of_three();
  negative(0, 0) = 1.25;
  negative(0, 1) = negative(1, 0) = -0.25;
  negative(1, 1) = 1;
  EXPECT_TRUE(contains(fault_of(negative), "row 0: the weight of column 1 is -0.25, negative"));

  for (const double value : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    Eigen::MatrixXd infinite = path_of_three();
    infinite(1, 1) = value;
    EXPECT_TRUE(contains(fault_of(infinite), "row 1: the weight of column 1 is"));
  }
}

TEST(MixingMatrix, TellsFiveFaultsAndCountsTheRest) {
  // 8 rows and 8 columns that sum to 2.
  const std::string fault = fault_of(2 * Eigen::MatrixXd::Identity(8, 8));
  EXPECT_TRUE(contains(fault, "row 4 sums to 2"));
  EXPECT_FALSE(contains(fault, "row 5 sums to 2"));
  EXPECT_TRUE(contains(fault, "and 11 more faults"));
}

TEST(MixingMatrix, ToleratesRoundingAndNoMore) {
  Eigen::MatrixXd matrix = path_of_three();
  matrix(2, 2) += 0.9e-12;
  EXPECT_EQ(fault_of(matrix), "");
  matrix(2, 2) += 0.2e-12;
  EXPECT_NE(fault_of(matrix), "");
}

TEST(MixingMatrix, RejectsCompressedRowsThatDoNotFitTogether) {
  EXPECT_THROW(MixingMatrix(WeightRows{}), DataError);
  EXPECT_THROW(MixingMatrix(WeightRows{{0, 1}, {0}, {}}), DataError);
  EXPECT_THROW(MixingMatrix(WeightRows{{0, 2}, {0}, {1}}), DataError);
  EXPECT_THROW(MixingMatrix(WeightRows{{0, 1}, {1}, {1}}), DataError);
  EXPECT_THROW(MixingMatrix(WeightRows{{0, 2}, {0, 0}, {0.5, 0.5}}), DataError);
  EXPECT_NO_THROW(MixingMatrix(WeightRows{{0, 1}, {0}, {1}}));
}

TEST(Weights, AreTheOnesOfTheirFormula) {
  // A star of four with an edge between the leaves 1 and 2: degrees 3, 2, 2, 1.
  const Graph graph(4, {{0, 1}, {0, 2}, {0, 3}, {1, 2}});
  Eigen::MatrixXd metropolis(4, 4);
  metropolis << 3, 3, 3, 3, 3, 5, 4, 0, 3, 4, 5, 0, 3, 0, 0, 9;
  EXPECT_TRUE(make_mixing(graph, Weights::metropolis).to_dense().isApprox(metropolis / 12, 1e-15));
  Eigen::MatrixXd max_degree(4, 4);
  max_degree << 1, 1, 1, 1, 1, 2, 1, 0, 1, 1, 2, 0, 1, 0, 0, 3;
  EXPECT_EQ(make_mixing(graph, Weights::max_degree).to_dense(), max_degree / 4);
  const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(4, 4);
  EXPECT_EQ(make_mixing(graph, Weights::lazy_max_degree).to_dense(),
            (max_degree / 4 + identity) / 2);
  EXPECT_TRUE(make_mixing(graph, Weights::lazy_metropolis)
                  .to_dense()
                  .isApprox((metropolis / 12 + identity) / 2, 1e-15));
}

TEST(Weights, OfALargeStarSumToOneWithinTheTolerance) {
  EXPECT_NO_THROW(
      make_mixing(make_graph({.family = "star", .nodes = 300'001}), Weights::metropolis));
}

TEST(Weights, AreFoundByName) {
  for (const auto& entry : values_of<Weights>) {
    EXPECT_EQ(from_name<Weights>("weights", entry.name), entry.value);
    EXPECT_EQ(name_of(entry.value), entry.name);
  }
  EXPECT_THROW(from_name<Weights>("weights", "uniform"), ConfigError);
}

}  // namespace
}  // namespace driftless
