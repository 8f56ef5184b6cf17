#pragma once

#include <vector>

#include "tests/network/network_cases.hpp"

// What every Network promises to those who measure and record a run: nothing of it is metered.
namespace driftless::testing {

template <class Runtime>
class EvaluationContract : public NetworkCases<Runtime> {};

TYPED_TEST_SUITE_P(EvaluationContract);

TYPED_TEST_P(EvaluationContract, TellsTheMeanOfVectorsInAscendingOrderOfTheNodes) {
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

TYPED_TEST_P(EvaluationContract, TellsTheMeanOfNumbersInAscendingOrderOfTheNodes) {
  for (const NodeId nodes : {1, 2, 7, 40, 100}) {
    const auto network = this->make({"ring", nodes, 1});
    if (!network) continue;
    const auto number = [](NodeId i) { return 1.0 / (3 + i); };
    double sum = 0;
    for (NodeId i = 0; i < nodes; ++i) sum += number(i);
    EXPECT_EQ(network->mean(number), sum / nodes);
  }
}

TYPED_TEST_P(EvaluationContract, GathersANumberOfEachNodeInTheirOrder) {
  for (const NodeId nodes : {1, 2, 7, 40}) {
    const auto network = this->make({"ring", nodes, 1});
    if (!network) continue;
    const auto number = [](NodeId i) { return 1.0 / (3 + i); };
    std::vector<double> expected(static_cast<std::size_t>(nodes));
    for (NodeId i = 0; i < nodes; ++i) expected[static_cast<std::size_t>(i)] = number(i);
    EXPECT_EQ(network->gather(number), expected);
  }
}

TYPED_TEST_P(EvaluationContract, KnowsWhetherAnyProcessSaysSo) {
  const auto network = this->make({"ring", 17, 1});
  if (!network) return;
  EXPECT_FALSE(network->any(false));
  EXPECT_TRUE(network->any(network->hosted().first == 0));
  EXPECT_TRUE(network->any(network->hosted().last == 17));
}

TYPED_TEST_P(EvaluationContract, CollectsAllRowsWhereTheFirstNodeIs) {
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

TYPED_TEST_P(EvaluationContract, DistributesTheRowsThatTheFirstNodesProcessHas) {
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
TYPED_TEST_P(EvaluationContract, TellsTheMeanOfManyNodes) {
  using Real = typename TypeParam::Real;
  const auto network = this->make({"ring", 100, 1});
  if (!network) return;
  Vector<Real> mean(2);
  network->mean([](NodeId i, VectorView<Real> x) { x << Real(i), Real(-2 * i); }, mean);
  EXPECT_EQ(mean[0], Real(49.5));
  EXPECT_EQ(mean[1], Real(-99));
}

TYPED_TEST_P(EvaluationContract, MetersNoEvaluation) {
  using Real = typename TypeParam::Real;
  const auto network = this->make({"ring", 6, 4});
  if (!network) return;
  Vector<Real> mean(4);
  network->mean([](NodeId, VectorView<Real> x) { x.setZero(); }, mean);
  network->mean([](NodeId) { return 1.0; });
  EXPECT_EQ(network->traffic().total(), 0U);
}

REGISTER_TYPED_TEST_SUITE_P(EvaluationContract, TellsTheMeanOfVectorsInAscendingOrderOfTheNodes,
                            TellsTheMeanOfNumbersInAscendingOrderOfTheNodes,
                            GathersANumberOfEachNodeInTheirOrder, KnowsWhetherAnyProcessSaysSo,
                            CollectsAllRowsWhereTheFirstNodeIs,
                            DistributesTheRowsThatTheFirstNodesProcessHas, TellsTheMeanOfManyNodes,
                            MetersNoEvaluation);

}  // namespace driftless::testing
