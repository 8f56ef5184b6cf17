#pragma once

#include <atomic>
#include <map>
#include <utility>
#include <vector>

#include "tests/network/network_cases.hpp"
#include "tests/network/skies.hpp"

// What every Network promises where links change and nodes are away or lost.
namespace driftless::testing {

// Remembers what the network asks of a method.
template <class Real>
class RecordingMember final : public Member<Real> {
 public:
  void take_back(NodeId i, const ConstVectorView<Real>& flow) override { taken[i].push_back(flow); }
  void join(NodeId i, Round t) override { joined.emplace_back(i, t); }

  std::map<NodeId, std::vector<Vector<Real>>> taken;
  std::vector<std::pair<NodeId, Round>> joined;
};

template <class Runtime>
class ConditionsContract : public NetworkCases<Runtime> {
 public:
  using Real = typename Runtime::Real;
  using Shape = typename NetworkCases<Runtime>::Shape;

  // W of a round, from the weights of its links.
  static Eigen::MatrixXd links_of(const Network& network) {
    const WeightRows& links = network.weather()->links();
    Eigen::MatrixXd W = Eigen::MatrixXd::Zero(links.size(), links.size());
    for (NodeId i = 0; i < links.size(); ++i) {
      const auto [nodes, weights] = links.row(i);
      for (std::size_t k = 0; k < nodes.size(); ++k) W(i, nodes[k]) = weights[k];
    }
    return W;
  }

  static std::unique_ptr<Network> make(Conditions conditions) {
    std::unique_ptr<Network> network = Runtime::make(std::move(conditions));
    if (network) network->start(Rows<Real>(network->hosted(), 0));
    return network;
  }
  // A path of four nodes on which this happens.
  static std::unique_ptr<Network> path_with(const Trace& trace) {
    return make(
        {.links = make_fixed(NetworkCases<Runtime>::mixing({"path", 4, 1})), .trace = trace});
  }
  static Rows<Real> rows_of(const Network& network, const std::vector<Real>& numbers) {
    Rows<Real> rows(network.hosted(), 1);
    for (NodeId i = network.hosted().first; i < network.hosted().last; ++i) {
      rows[i][0] = numbers[static_cast<std::size_t>(i)];
    }
    return rows;
  }
  static void expect_rows(const Rows<Real>& rows, const std::vector<double>& expected) {
    for (NodeId i = rows.hosted().first; i < rows.hosted().last; ++i) {
      EXPECT_NEAR(rows[i][0], expected[static_cast<std::size_t>(i)],
                  NetworkCases<Runtime>::tolerance)
          << "node " << i;
    }
  }
  void begin(Network& network, Round t) { network.begin_round(t, models, member); }

  Rows<Real> models;
  RecordingMember<Real> member;
};

TYPED_TEST_SUITE_P(ConditionsContract);

TYPED_TEST_P(ConditionsContract, MixesWithTheWeightsOfTheRound) {
  using Shape = typename TestFixture::Shape;
  for (const Sky& sky : skies_of_prompt_letters()) {
    for (const Shape& shape : {Shape{"ring", 10, 300}, Shape{"star", 8, 5}, Shape{"path", 2, 1},
                               Shape{"erdos_renyi", 17, 17}, Shape{"complete", 5, 5000}}) {
      const auto network = this->make(sky.over(this->mixing(shape)));
      if (!network || !network->weather()) continue;
      auto rows = this->hosted_rows(*network, this->numbers(shape, 1));
      Eigen::MatrixXd expected = this->numbers(shape, 1).template cast<double>();
      for (Round t = 0; t < 4; ++t) {
        this->begin(*network, t);
        const Eigen::MatrixXd W = this->links_of(*network);
        network->mix({&rows});
        network->mix({&rows}, Mixing::lazy);
        expected = W * expected;
        expected = (0.5 * (expected + W * expected)).eval();
      }
      EXPECT_LT(this->error(rows, expected), this->tolerance)
          << sky.name << ' ' << shape.family << ' ' << shape.nodes;
    }
  }
}

TYPED_TEST_P(ConditionsContract, MixesSeveralRowsOfUnequalDimsAsItMixesEach) {
  using Real = typename TypeParam::Real;
  for (const Sky& sky : all_skies()) {
    if (sky.name != "drops" && sky.name != "all faults" && sky.name != "top_k") continue;
    std::vector<Rows<Real>> together, alone;
    const auto run = [&](std::vector<Rows<Real>>& rows, const auto& mix) {
      auto network = this->make(sky.over(this->mixing({"exponential", 9, 1})));
      if (!network) return false;
      rows.clear();
      for (const Index dim : {3, 70, 1}) {
        rows.push_back(this->hosted_rows(*network, this->numbers({"", 9, dim}, 7)));
      }
      for (Round t = 0; t < 5; ++t) {
        this->begin(*network, t);
        mix(*network);
      }
      return true;
    };
    if (!run(together, [&](Network& network) {
          network.mix({&together[0], &together[1], &together[2]});
        })) {
      continue;
    }
    for (std::size_t k = 0; k < 3; ++k) {
      run(alone, [&](Network& network) { network.mix({&alone[k]}); });
      for (NodeId i = alone[k].hosted().first; i < alone[k].hosted().last; ++i) {
        EXPECT_EQ(together[k][i], alone[k][i]) << sky.name << ", row " << k << ", node " << i;
      }
    }
  }
}

// Weights of a third: what does not go over a link stays at home.
TYPED_TEST_P(ConditionsContract, SendsNothingOverALinkThatIsDown) {
  const auto network =
      this->path_with({{.event = Event::link_down, .node = 2, .peer = 1},
                       {.round = 1, .event = Event::link_up, .node = 1, .peer = 2}});
  if (!network) return;
  auto rows = this->rows_of(*network, {3, 0, 9, 0});
  this->begin(*network, 0);
  network->mix({&rows});
  this->expect_rows(rows, {2, 1, 6, 3});
  EXPECT_EQ(network->traffic().total(), Bytes{2} * 2 * sizeof(typename TypeParam::Real));
  this->begin(*network, 1);
  network->mix({&rows});
  this->expect_rows(rows, {5.0 / 3, 3, 10.0 / 3, 4});
}

TYPED_TEST_P(ConditionsContract, LeavesOutWhoPauses) {
  const auto network = this->path_with(
      {{.event = Event::pause, .node = 1}, {.round = 1, .event = Event::resume, .node = 1}});
  if (!network) return;
  auto rows = this->rows_of(*network, {3, 6, 9, 0});
  for (const Round t : {0, 1}) {
    this->begin(*network, t);
    std::vector<std::atomic<int>> visits(4);
    network->for_each_node([&](NodeId i) { ++visits[static_cast<std::size_t>(i)]; });
    for (NodeId i = network->hosted().first; i < network->hosted().last; ++i) {
      EXPECT_EQ(visits[static_cast<std::size_t>(i)], i == 1 && t == 0 ? 0 : 1);
    }
    network->mix({&rows});
    if (t == 0) this->expect_rows(rows, {3, 6, 6, 3});
  }
  this->expect_rows(rows, {4, 5, 5, 4});
  EXPECT_EQ(network->members(), 4) << "who pauses is a member";
}

TYPED_TEST_P(ConditionsContract, MeansAreThoseOfTheMembers) {
  using Real = typename TypeParam::Real;
  const auto network = this->path_with({{.round = 1, .event = Event::crash, .node = 1}});
  if (!network) return;
  const auto number = [](NodeId i) { return i + 1.0; };
  const auto vector = [](NodeId i, VectorView<Real> x) { x[0] = static_cast<Real>(i + 1); };
  Vector<Real> mean(1);
  this->begin(*network, 0);
  network->mean(vector, mean);
  EXPECT_EQ(mean[0], Real(2.5));
  EXPECT_EQ(network->mean(number), 2.5);
  this->begin(*network, 1);
  EXPECT_EQ(network->members(), 3);
  EXPECT_FALSE(network->is_member(1));
  network->mean(vector, mean);
  EXPECT_EQ(mean[0], Real(8) / 3);
  EXPECT_EQ(network->mean(number), 8.0 / 3);
  EXPECT_EQ(network->gather(number), (std::vector<double>{1, 0, 3, 4}));
  std::vector<std::atomic<int>> visits(4);
  network->for_each_member([&](NodeId i) { ++visits[static_cast<std::size_t>(i)]; });
  for (NodeId i = network->hosted().first; i < network->hosted().last; ++i) {
    EXPECT_EQ(visits[static_cast<std::size_t>(i)], i == 1 ? 0 : 1);
  }
}

// Node 1 has 1/3 (3 − 0) = 1 of node 0 in the last row, node 2 has 1/3 (3 − 9) = −2 of node 1; then
// node 1 is lost, and comes back with the model of node 0.
TYPED_TEST_P(ConditionsContract, NeighboursTakeBackWhatTheyHadOfWhoIsLost) {
  const auto network = this->path_with({{.round = 1, .event = Event::crash, .node = 1},
                                        {.round = 2, .event = Event::join, .node = 1}});
  if (!network) return;
  auto x = this->rows_of(*network, {0, 0, 0, 0});
  auto z = this->rows_of(*network, {0, 3, 9, 0});
  this->begin(*network, 0);
  network->mix({&x, &z});
  this->models = this->rows_of(*network, {7, 8, 9, 10});
  this->begin(*network, 1);
  for (NodeId i = network->hosted().first; i < network->hosted().last; ++i) {
    if (i == 1 || i == 3) {
      EXPECT_EQ(this->member.taken.count(i), 0U);
      continue;
    }
    ASSERT_EQ(this->member.taken[i].size(), 1U) << "node " << i;
    EXPECT_NEAR(this->member.taken[i][0][0], i == 0 ? 1 : -2, this->tolerance);
  }
  EXPECT_TRUE(this->member.joined.empty());
  this->begin(*network, 2);
  this->expect_rows(this->models, {7, 7, 9, 10});
  EXPECT_EQ(this->member.joined.size(), network->hosted().contains(1) ? 1U : 0U);
  for (const auto& each : this->member.joined) EXPECT_EQ(each, std::pair(NodeId{1}, Round{2}));
  EXPECT_EQ(network->members(), 4);
}

TYPED_TEST_P(ConditionsContract, AveragesWhoReachesTheServer) {
  using Real = typename TypeParam::Real;
  const auto network = this->path_with({{.event = Event::pause, .node = 1},
                                        {.event = Event::pause, .node = 3},
                                        {.round = 1, .event = Event::pause, .node = 0},
                                        {.round = 1, .event = Event::pause, .node = 2}});
  if (!network) return;
  auto x = this->rows_of(*network, {1, 2, 4, 8});
  auto z = this->rows_of(*network, {10, 20, 40, 80});
  this->begin(*network, 0);
  auto own = x;
  EXPECT_EQ(network->average({&own}, Answer::for_present), 0.5);
  this->expect_rows(own, {2.5, 2, 2.5, 8});
  EXPECT_EQ(network->average({&x, &z}), 0.5);
  this->expect_rows(x, {2.5, 2.5, 2.5, 2.5});
  this->expect_rows(z, {25, 25, 25, 25});
  const Bytes up = (1 + 2) * sizeof(Real);  // of each of two nodes, and as much down
  EXPECT_EQ(network->traffic().total(), 2 * (2 * up));
  EXPECT_EQ(network->traffic().busiest(), 2 * (2 * up)) << "the server";
  this->begin(*network, 1);
  EXPECT_EQ(network->average({&own}), 0);
  this->expect_rows(own, {2.5, 2, 2.5, 8});
  EXPECT_EQ(network->traffic().total(), 2 * (2 * up));
}

TYPED_TEST_P(ConditionsContract, TakesNoRows) {
  for (const Sky& sky :
       {skies_of_prompt_letters()[0], skies_of_late_letters()[3], skies_of_packed_letters()[0]}) {
    const auto network = this->make(sky.over(this->mixing({"ring", 17, 1})));
    if (!network) continue;
    for (Round t = 0; t < 3; ++t) {
      this->begin(*network, t);
      network->template mix<typename TypeParam::Real>({});
    }
    EXPECT_EQ(network->traffic().total(), 0U) << sky.name;
  }
}

REGISTER_TYPED_TEST_SUITE_P(ConditionsContract, MixesWithTheWeightsOfTheRound,
                            MixesSeveralRowsOfUnequalDimsAsItMixesEach,
                            SendsNothingOverALinkThatIsDown, LeavesOutWhoPauses,
                            MeansAreThoseOfTheMembers, NeighboursTakeBackWhatTheyHadOfWhoIsLost,
                            AveragesWhoReachesTheServer, TakesNoRows);

}  // namespace driftless::testing
