#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "driftless/base/random.hpp"
#include "driftless/graph/families.hpp"
#include "driftless/graph/weights.hpp"
#include "driftless/network/network.hpp"

// What every Network promises. A runtime joins with a type that has `Real` and
// `static std::unique_ptr<Network> make(MixingMatrix)`, and
// INSTANTIATE_TYPED_TEST_SUITE_P(Its, NetworkContract, ...). Tests look only at hosted nodes, so
// each process of a distributed runtime checks its own; one that hosts none gets no network.
namespace driftless::testing {

template <class Runtime>
class NetworkContract : public ::testing::Test {
 public:
  using Number = typename Runtime::Real;
  using Dense = Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic>;

  // Rounding of a weighted sum of numbers of order one.
  static constexpr double tolerance = std::is_same_v<Number, float> ? 1e-5 : 1e-13;

  struct Shape {
    std::string family;
    NodeId nodes;
    Index dim;
  };
  static std::vector<Shape> shapes() {
    return {{"ring", 1, 3},
            {"ring", 2, 1},
            {"ring", 3, 7},
            {"ring", 10, 100},
            {"ring", 5, 5000},
            {"path", 9, 33},
            {"star", 8, 64},
            {"star", 17, 5},
            {"complete", 6, 31},
            {"complete", 2, 16},
            {"torus", 16, 12},
            {"torus", 9, 2},
            {"hypercube", 8, 9},
            {"barbell", 11, 8},
            {"erdos_renyi", 13, 65},
            {"erdos_renyi", 17, 17},
            {"random_regular", 12, 40},
            {"random_geometric", 15, 23},
            {"exponential", 14, 3}};
  }

  static MixingMatrix mixing(const Shape& shape) {
    return make_mixing(make_graph({.family = shape.family, .nodes = shape.nodes, .seed = 5}),
                       Weights::metropolis);
  }
  static std::unique_ptr<Network> make(const Shape& shape) { return Runtime::make(mixing(shape)); }

  // All nodes' numbers, the same in every process.
  static Dense numbers(const Shape& shape, std::uint64_t seed) {
    Dense values(shape.nodes, shape.dim);
    Vector<Number> row(shape.dim);
    for (NodeId i = 0; i < shape.nodes; ++i) {
      fill_normals(row.data(), row.size(), 1.0, Draw{.seed = seed, .node = i},
                   Purpose::problem_data);
      values.row(i) = row.transpose();
    }
    return values;
  }
  static Rows<Number> hosted_rows(const Network& network, const Dense& values) {
    Rows<Number> rows(network.hosted(), values.cols());
    for (NodeId i = network.hosted().first; i < network.hosted().last; ++i) {
      rows[i] = values.row(i).transpose();
    }
    return rows;
  }
  static double error(const Rows<Number>& rows, const Eigen::MatrixXd& expected) {
    double largest = 0;
    for (NodeId i = rows.hosted().first; i < rows.hosted().last; ++i) {
      const Vector<double> row = rows[i].template cast<double>();
      largest = std::max(largest, (row.transpose() - expected.row(i)).cwiseAbs().maxCoeff());
    }
    return largest;
  }
};

TYPED_TEST_SUITE_P(NetworkContract);

TYPED_TEST_P(NetworkContract, MixesWithW) {
  for (const auto& shape : this->shapes()) {
    const auto network = this->make(shape);
    if (!network) continue;
    const auto before = this->numbers(shape, 1);
    auto rows = this->hosted_rows(*network, before);
    network->mix({&rows});
    const Eigen::MatrixXd expected =
        this->mixing(shape).to_dense() * before.template cast<double>();
    EXPECT_LT(this->error(rows, expected), this->tolerance) << shape.family << ' ' << shape.nodes;
  }
}

TYPED_TEST_P(NetworkContract, MixesLazilyWithTheMeanOfIAndW) {
  for (const auto& shape : this->shapes()) {
    const auto network = this->make(shape);
    if (!network) continue;
    const auto before = this->numbers(shape, 2);
    auto rows = this->hosted_rows(*network, before);
    network->mix({&rows}, Mixing::lazy);
    const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(shape.nodes, shape.nodes);
    const Eigen::MatrixXd expected =
        0.5 * (one + this->mixing(shape).to_dense()) * before.template cast<double>();
    EXPECT_LT(this->error(rows, expected), this->tolerance) << shape.family << ' ' << shape.nodes;
  }
}

TYPED_TEST_P(NetworkContract, MixesSeveralRowsAsItMixesEach) {
  using Real = typename TypeParam::Real;
  for (const auto& shape : this->shapes()) {
    const auto network = this->make(shape);
    if (!network) continue;
    std::vector<Rows<Real>> together;
    std::vector<Rows<Real>> alone;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      together.push_back(this->hosted_rows(*network, this->numbers(shape, seed)));
      alone.push_back(together.back());
    }
    network->mix({&together[0], &together[1], &together[2]});
    for (std::size_t k = 0; k < 3; ++k) {
      network->mix({&alone[k]});
      for (NodeId i = network->hosted().first; i < network->hosted().last; ++i) {
        EXPECT_EQ(together[k][i], alone[k][i]) << shape.family << ' ' << shape.nodes;
      }
    }
  }
}

TYPED_TEST_P(NetworkContract, AveragesInAscendingOrderOfTheNodes) {
  using Real = typename TypeParam::Real;
  for (const auto& shape : this->shapes()) {
    const auto network = this->make(shape);
    if (!network) continue;
    const auto before = this->numbers(shape, 3);
    const auto other = this->numbers(shape, 4);
    auto rows = this->hosted_rows(*network, before);
    auto other_rows = this->hosted_rows(*network, other);
    network->average({&rows, &other_rows});
    for (Index k = 0; k < shape.dim; ++k) {
      Real sum = 0;
      Real other_sum = 0;
      for (NodeId i = 0; i < shape.nodes; ++i) {
        sum += before(i, k);
        other_sum += other(i, k);
      }
      for (NodeId i = network->hosted().first; i < network->hosted().last; ++i) {
        ASSERT_EQ(rows[i][k], sum / static_cast<Real>(shape.nodes));
        ASSERT_EQ(other_rows[i][k], other_sum / static_cast<Real>(shape.nodes));
      }
    }
  }
}

TYPED_TEST_P(NetworkContract, TellsTheMeanOfVectorsInAscendingOrderOfTheNodes) {
  using Real = typename TypeParam::Real;
  for (const auto& shape : this->shapes()) {
    const auto network = this->make(shape);
    if (!network) continue;
    const auto values = this->numbers(shape, 5);
    Vector<Real> mean(shape.dim);
    network->mean([&](NodeId i, VectorView<Real> x) { x = values.row(i).transpose(); }, mean);
    for (Index k = 0; k < shape.dim; ++k) {
      Real sum = 0;
      for (NodeId i = 0; i < shape.nodes; ++i) sum += values(i, k);
      ASSERT_EQ(mean[k], sum / static_cast<Real>(shape.nodes));
    }
  }
}

TYPED_TEST_P(NetworkContract, TellsTheMeanOfNumbersInAscendingOrderOfTheNodes) {
  for (const NodeId nodes : {1, 2, 7, 40, 100}) {
    const auto network = this->make({"ring", nodes, 1});
    if (!network) continue;
    const auto number = [](NodeId i) { return 1.0 / (3 + i); };
    double sum = 0;
    for (NodeId i = 0; i < nodes; ++i) sum += number(i);
    EXPECT_EQ(network->mean(number), sum / nodes);
  }
}

TYPED_TEST_P(NetworkContract, TellsTheLeastOfNumbers) {
  for (const NodeId nodes : {1, 2, 7, 40}) {
    const auto network = this->make({"ring", nodes, 1});
    if (!network) continue;
    const auto number = [=](NodeId i) { return i == nodes / 2 ? -2.5 : 1.0 * i; };
    EXPECT_EQ(network->minimum(number), -2.5);
  }
}

TYPED_TEST_P(NetworkContract, KnowsWhetherAnyProcessSaysSo) {
  const auto network = this->make({"ring", 17, 1});
  if (!network) return;
  EXPECT_FALSE(network->any(false));
  EXPECT_TRUE(network->any(network->hosted().last == 17));
}

TYPED_TEST_P(NetworkContract, CollectsAllRowsWhereTheFirstNodeIs) {
  for (const auto& shape : this->shapes()) {
    const auto network = this->make(shape);
    if (!network) continue;
    const auto values = this->numbers(shape, 6);
    const auto rows = this->hosted_rows(*network, values);
    auto room = rows;
    const auto& all = network->collect(rows, room);
    if (network->hosted().first != 0) continue;
    ASSERT_EQ(all.hosted(), (NodeRange{0, shape.nodes}));
    for (NodeId i = 0; i < shape.nodes; ++i) EXPECT_EQ(all[i].transpose(), values.row(i));
  }
}

TYPED_TEST_P(NetworkContract, DistributesTheRowsThatTheFirstNodesProcessHas) {
  using Real = typename TypeParam::Real;
  for (const auto& shape : this->shapes()) {
    const auto network = this->make(shape);
    if (!network) continue;
    const auto values = this->numbers(shape, 8);
    Rows<Real> all;
    if (network->hosted().first == 0) {
      all = Rows<Real>({0, shape.nodes}, shape.dim);
      for (NodeId i = 0; i < shape.nodes; ++i) all[i] = values.row(i).transpose();
    }
    Rows<Real> rows(network->hosted(), shape.dim);
    network->distribute(all, rows);
    ASSERT_EQ(rows.hosted(), network->hosted());
    for (NodeId i = rows.hosted().first; i < rows.hosted().last; ++i) {
      EXPECT_EQ(rows[i].transpose(), values.row(i));
    }
  }
}

// More nodes than a mean takes at a time.
TYPED_TEST_P(NetworkContract, TellsTheMeanOfManyNodes) {
  using Real = typename TypeParam::Real;
  const auto network = this->make({"ring", 100, 1});
  if (!network) return;
  Vector<Real> mean(2);
  network->mean([](NodeId i, VectorView<Real> x) { x << Real(i), Real(-2 * i); }, mean);
  EXPECT_EQ(mean[0], Real(49.5));
  EXPECT_EQ(mean[1], Real(-99));
}

TYPED_TEST_P(NetworkContract, VisitsEachHostedNodeOnce) {
  for (const NodeId nodes : {1, 2, 17, 300}) {
    const auto network = this->make({"ring", nodes, 1});
    if (!network) continue;
    std::vector<std::atomic<int>> visits(static_cast<std::size_t>(nodes));
    network->for_each_node([&](NodeId i) { ++visits[static_cast<std::size_t>(i)]; });
    const NodeRange hosted = network->hosted();
    for (NodeId i = 0; i < nodes; ++i) {
      EXPECT_EQ(visits[static_cast<std::size_t>(i)], hosted.first <= i && i < hosted.last ? 1 : 0);
    }
  }
}

TYPED_TEST_P(NetworkContract, HandsOnWhatANodeThrows) {
  const auto network = this->make({"ring", 8, 1});
  if (!network) return;
  const NodeId last = network->hosted().last - 1;
  EXPECT_THROW(network->for_each_node([&](NodeId i) {
    if (i == last) throw std::runtime_error("no");
  }),
               std::runtime_error);
}

// A ring of 10: two vectors of 7 to 2 neighbours and from them.
TYPED_TEST_P(NetworkContract, MetersExchangesByEdge) {
  using Real = typename TypeParam::Real;
  const auto network = this->make({"ring", 10, 7});
  if (!network) return;
  Rows<Real> x(network->hosted(), 7);
  Rows<Real> z(network->hosted(), 7);
  const Bytes vector = 7 * sizeof(Real);
  network->mix({&x, &z});
  EXPECT_EQ(network->traffic().edge(), 2 * vector);
  EXPECT_EQ(network->traffic().total(), Bytes{10} * 2 * 2 * vector);
  EXPECT_EQ(network->traffic().busiest(), Bytes{2} * 2 * 2 * vector);
  network->mix({&x}, Mixing::lazy);
  EXPECT_EQ(network->traffic().edge(), 3 * vector);
  EXPECT_EQ(network->traffic().uplink(), 0U);
}

TYPED_TEST_P(NetworkContract, MetersTheHubOfAStarAsTheBusiest) {
  using Real = typename TypeParam::Real;
  const auto network = this->make({"star", 6, 4});
  if (!network) return;
  Rows<Real> x(network->hosted(), 4);
  network->mix({&x});
  EXPECT_EQ(network->traffic().total(), Bytes{5} * 2 * 4 * sizeof(Real));
  EXPECT_EQ(network->traffic().busiest(), Bytes{5} * 2 * 4 * sizeof(Real));
}

TYPED_TEST_P(NetworkContract, MetersTheServerOfAnAverageAsTheBusiest) {
  using Real = typename TypeParam::Real;
  const auto network = this->make({"ring", 6, 4});
  if (!network) return;
  Rows<Real> x(network->hosted(), 4);
  network->average({&x});
  EXPECT_EQ(network->traffic().uplink(), 4 * sizeof(Real));
  EXPECT_EQ(network->traffic().edge(), 0U);
  EXPECT_EQ(network->traffic().total(), Bytes{6} * 2 * 4 * sizeof(Real));
  EXPECT_EQ(network->traffic().busiest(), Bytes{6} * 2 * 4 * sizeof(Real));
}

TYPED_TEST_P(NetworkContract, MetersNoEvaluation) {
  using Real = typename TypeParam::Real;
  const auto network = this->make({"ring", 6, 4});
  if (!network) return;
  Vector<Real> mean(4);
  network->mean([](NodeId, VectorView<Real> x) { x.setZero(); }, mean);
  network->mean([](NodeId) { return 1.0; });
  EXPECT_EQ(network->traffic().total(), 0U);
}

REGISTER_TYPED_TEST_SUITE_P(NetworkContract, MixesWithW, MixesLazilyWithTheMeanOfIAndW,
                            MixesSeveralRowsAsItMixesEach, AveragesInAscendingOrderOfTheNodes,
                            TellsTheMeanOfVectorsInAscendingOrderOfTheNodes,
                            TellsTheMeanOfNumbersInAscendingOrderOfTheNodes, TellsTheLeastOfNumbers,
                            KnowsWhetherAnyProcessSaysSo, CollectsAllRowsWhereTheFirstNodeIs,
                            DistributesTheRowsThatTheFirstNodesProcessHas, TellsTheMeanOfManyNodes,
                            VisitsEachHostedNodeOnce, HandsOnWhatANodeThrows, MetersExchangesByEdge,
                            MetersTheHubOfAStarAsTheBusiest, MetersTheServerOfAnAverageAsTheBusiest,
                            MetersNoEvaluation);

}  // namespace driftless::testing
