#pragma once

#include <array>
#include <atomic>
#include <stdexcept>
#include <vector>

#include "tests/network/network_cases.hpp"

// What every Network promises to the methods that run on it: mixing, averaging, visiting, metering.
namespace driftless::testing {

template <class Runtime>
class NetworkContract : public NetworkCases<Runtime> {
 public:
  // The first rows are the shortest, or the longest, or none at all.
  static std::vector<std::array<Index, 3>> unequal_dims() {
    return {{3, 5000, 40}, {129, 0, 2}, {0, 7, 8}};
  }

  // Calls exchange(a, b, c) with rows of these dims, and expects that each is then `matrix` times
  // what it was.
  template <class Exchange>
  static void expect_each_is_multiplied(const Network& network,
                                        typename NetworkCases<Runtime>::Shape shape,
                                        const std::array<Index, 3>& dims,
                                        const Eigen::MatrixXd& matrix, const Exchange& exchange) {
    std::array<Rows<typename Runtime::Real>, 3> rows;
    std::array<Eigen::MatrixXd, 3> expected;
    for (std::size_t k = 0; k < dims.size(); ++k) {
      shape.dim = dims[k];
      const auto before = NetworkContract::numbers(shape, k);
      rows[k] = NetworkContract::hosted_rows(network, before);
      expected[k] = matrix * before.template cast<double>();
    }
    exchange(rows[0], rows[1], rows[2]);
    for (std::size_t k = 0; k < dims.size(); ++k) {
      ASSERT_EQ(rows[k].hosted(), network.hosted());
      ASSERT_EQ(rows[k].dim(), dims[k]);
      EXPECT_LT(NetworkContract::error(rows[k], expected[k]), NetworkContract::tolerance)
          << shape.family << ' ' << shape.nodes << " dim " << dims[k];
    }
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

TYPED_TEST_P(NetworkContract, MixesRowsOfUnequalDimsEachWithItsOwn) {
  using Real = typename TypeParam::Real;
  for (const auto& shape : this->shapes()) {
    for (const auto& dims : this->unequal_dims()) {
      const auto network = this->make(shape);
      if (!network) continue;
      this->expect_each_is_multiplied(*network, shape, dims, this->mixing(shape).to_dense(),
                                      [&](Rows<Real>& a, Rows<Real>& b, Rows<Real>& c) {
                                        network->mix({&a, &b, &c});
                                      });
      EXPECT_EQ(network->traffic().edge(), (dims[0] + dims[1] + dims[2]) * sizeof(Real));
    }
  }
}

TYPED_TEST_P(NetworkContract, AveragesRowsOfUnequalDimsEachWithItsOwn) {
  using Real = typename TypeParam::Real;
  for (const auto& shape : this->shapes()) {
    for (const auto& dims : this->unequal_dims()) {
      const auto network = this->make(shape);
      if (!network) continue;
      this->expect_each_is_multiplied(
          *network, shape, dims,
          Eigen::MatrixXd::Constant(shape.nodes, shape.nodes, 1.0 / shape.nodes),
          [&](Rows<Real>& a, Rows<Real>& b, Rows<Real>& c) {
            network->average({&a, &b, &c});
          });
      EXPECT_EQ(network->traffic().uplink(), (dims[0] + dims[1] + dims[2]) * sizeof(Real));
    }
  }
}

TYPED_TEST_P(NetworkContract, TakesNoRowsAndRowsOfNoNumbers) {
  using Real = typename TypeParam::Real;
  const auto network = this->make({"ring", 17, 1});
  if (!network) return;
  Rows<Real> empty(network->hosted(), 0);
  Rows<Real> ones(network->hosted(), 2);
  network->for_each_node([&](NodeId i) { ones[i].setOnes(); });
  network->template mix<Real>({});
  network->template average<Real>({});
  network->mix({&empty});
  network->average({&empty});
  network->mix({&ones});  // what came before has left nothing behind
  EXPECT_EQ(empty.hosted(), network->hosted());
  EXPECT_EQ(empty.dim(), 0);
  EXPECT_LT(this->error(ones, Eigen::MatrixXd::Ones(17, 2)), this->tolerance);
  EXPECT_EQ(network->traffic().edge(), 2 * sizeof(Real));
  EXPECT_EQ(network->traffic().uplink(), 0U);
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

REGISTER_TYPED_TEST_SUITE_P(NetworkContract, MixesWithW, MixesLazilyWithTheMeanOfIAndW,
                            MixesSeveralRowsAsItMixesEach, AveragesInAscendingOrderOfTheNodes,
                            MixesRowsOfUnequalDimsEachWithItsOwn,
                            AveragesRowsOfUnequalDimsEachWithItsOwn, TakesNoRowsAndRowsOfNoNumbers,
                            VisitsEachHostedNodeOnce, HandsOnWhatANodeThrows, MetersExchangesByEdge,
                            MetersTheHubOfAStarAsTheBusiest,
                            MetersTheServerOfAnAverageAsTheBusiest);

}  // namespace driftless::testing
