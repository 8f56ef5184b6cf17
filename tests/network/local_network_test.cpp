#include "driftless/network/local_network.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/network/conditions_contract.hpp"
#include "tests/network/evaluation_contract.hpp"
#include "tests/network/network_contract.hpp"
#include "tests/support/trial.hpp"

namespace driftless::testing {
namespace {

template <class Number>
struct Local {
  using Real = Number;
  template <class Given>
  static std::unique_ptr<Network> make(Given given) {
    return std::make_unique<LocalNetwork>(std::move(given));
  }
};

using Runtimes = ::testing::Types<Local<double>, Local<float>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Local, NetworkContract, Runtimes);
INSTANTIATE_TYPED_TEST_SUITE_P(Local, ConditionsContract, Runtimes);
INSTANTIATE_TYPED_TEST_SUITE_P(Local, EvaluationContract, Runtimes);

TEST(LocalNetwork, HostsAllNodes) {
  const auto network =
      Local<double>::make(MixingMatrix::from_dense(Eigen::Matrix2d::Constant(0.5)));
  EXPECT_EQ(network->hosted(), (NodeRange{0, 2}));
}

RC_GTEST_PROP(LocalNetwork, MixesInPlaceOnAnyGraph, (const Instance& instance)) {
  LocalNetwork network(instance.mixing());
  Rows<double> rows(network.hosted(), instance.dim);
  for (NodeId i = 0; i < instance.nodes; ++i) rows[i].setConstant(std::sin(1.0 + i));
  const Eigen::MatrixXd expected = instance.mixing().to_dense() * dense(rows);
  network.mix({&rows});
  RC_ASSERT(difference(expected, dense(rows)) < 1e-14);
}

}  // namespace
}  // namespace driftless::testing
