#include "driftless/network/mpi/mpi_network.hpp"

#include <gtest/gtest.h>

#include "driftless/base/error.hpp"
#include "driftless/network/local_network.hpp"
#include "tests/mpi/mpi_ranks.hpp"
#include "tests/network/conditions_contract.hpp"
#include "tests/network/evaluation_contract.hpp"
#include "tests/network/network_contract.hpp"

namespace driftless::testing {
namespace {

using Runtimes = ::testing::Types<Mpi<double>, Mpi<float>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Mpi, NetworkContract, Runtimes);
INSTANTIATE_TYPED_TEST_SUITE_P(Mpi, ConditionsContract, Runtimes);
INSTANTIATE_TYPED_TEST_SUITE_P(Mpi, EvaluationContract, Runtimes);

template <class Number>
class MpiNetworkOf : public NetworkCases<Mpi<Number>> {};
using Numbers = ::testing::Types<double, float>;
TYPED_TEST_SUITE(MpiNetworkOf, Numbers);

TYPED_TEST(MpiNetworkOf, GivesTheBitsOfOneProcess) {
  for (const auto& shape : this->shapes()) {
    const auto network = this->make(shape);
    if (!network) continue;
    LocalNetwork local(this->mixing(shape));
    const auto x = this->numbers(shape, 1);
    const auto z = this->numbers(shape, 2);
    auto mine_x = this->hosted_rows(*network, x);
    auto mine_z = this->hosted_rows(*network, z);
    auto all_x = this->hosted_rows(local, x);
    auto all_z = this->hosted_rows(local, z);
    for (int t = 0; t < 3; ++t) {  // messages of two sizes in turn
      network->mix({&mine_x, &mine_z});
      local.mix({&all_x, &all_z});
      network->mix({&mine_x}, Mixing::lazy);
      local.mix({&all_x}, Mixing::lazy);
    }
    network->average({&mine_z});
    local.average({&all_z});
    for (NodeId i = network->hosted().first; i < network->hosted().last; ++i) {
      EXPECT_EQ(mine_x[i], all_x[i]) << shape.family << ' ' << shape.nodes << " node " << i;
      EXPECT_EQ(mine_z[i], all_z[i]) << shape.family << ' ' << shape.nodes << " node " << i;
    }
  }
}

// The wire is what the meter says, where every node is a rank of its own.
TYPED_TEST(MpiNetworkOf, SendsTheBytesThatAreMetered) {
  for (const auto& shape : this->shapes()) {
    if (shape.nodes > ranks()) continue;
    const auto network = Mpi<TypeParam>::make(this->mixing(shape));
    if (!network) continue;
    auto x = this->hosted_rows(*network, this->numbers(shape, 1));
    auto z = x;
    network->mix({&x, &z});
    network->mix({&x});
    const double sent =
        network->mean([&](NodeId) { return static_cast<double>(network->bytes_sent()); });
    EXPECT_DOUBLE_EQ(sent * shape.nodes, static_cast<double>(network->traffic().total()))
        << shape.family << ' ' << shape.nodes;
  }
}

TEST(MpiNetwork, HostsBlocksThatDifferByOneNodeAtMost) {
  for (const NodeId nodes : {17, 18, 40}) {
    const auto network = Mpi<double>::make(
        make_mixing(make_graph({.family = "ring", .nodes = nodes}), Weights::metropolis));
    ASSERT_TRUE(network);
    const int least = nodes / ranks();
    EXPECT_GE(network->hosted().size(), least);
    EXPECT_LE(network->hosted().size(), least + (nodes % ranks() != 0 ? 1 : 0));
  }
}

TEST(MpiNetwork, RefusesMoreRanksThanNodes) {
  if (ranks() == 1) GTEST_SKIP() << "one rank is never too many";
  const MixingMatrix mixing = MixingMatrix::from_dense(Eigen::MatrixXd::Ones(1, 1));
  EXPECT_THROW(MpiNetwork(mixing, MPI_COMM_WORLD), ConfigError);
}

}  // namespace
}  // namespace driftless::testing
