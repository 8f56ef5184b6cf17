#include "driftless/network/peers/peer_network.hpp"

#include <gtest/gtest.h>

#include "driftless/algorithm/registry.hpp"
#include "driftless/base/error.hpp"
#include "driftless/base/fingerprint.hpp"
#include "driftless/network/local_network.hpp"
#include "tests/network/conditions_contract.hpp"
#include "tests/network/evaluation_contract.hpp"
#include "tests/network/network_contract.hpp"
#include "tests/sites/processes.hpp"
#include "tests/support/contains.hpp"
#include "tests/support/instance.hpp"

namespace driftless::testing {
namespace {

using peers::testing::Peers;
using peers::testing::processes;

using Runtimes = ::testing::Types<Peers<double>, Peers<float>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Peers, NetworkContract, Runtimes);
INSTANTIATE_TYPED_TEST_SUITE_P(Peers, ConditionsContract, Runtimes);
INSTANTIATE_TYPED_TEST_SUITE_P(Peers, EvaluationContract, Runtimes);

// The bits of all that a method keeps, round after round, of the nodes hosted here.
std::vector<std::uint64_t> trajectory(Network& network, const Instance& instance,
                                      const AlgorithmKind& kind, NodeRange nodes) {
  const std::unique_ptr<Problem<double>> problem = instance.problem();
  const auto method = make_algorithm(
      kind.name, *problem, network,
      {.local_steps = instance.local_steps, .local_rate = 0.01, .seed = instance.seed});
  method->start(starting_models(*problem, network));
  std::vector<std::uint64_t> sums;
  for (Round t = 0; t < 6; ++t) {
    method->advance(t);
    Fingerprint sum;
    for (const auto& each : method->state()) {
      for (NodeId i = nodes.first; i < nodes.last; ++i) sum.add_numbers((*each.rows)[i]);
    }
    sums.push_back(sum.value());
  }
  return sums;
}

bool has_no_server(const AlgorithmKind& kind) { return kind.vectors_a_server == 0; }

class SameBits : public ::testing::TestWithParam<std::string> {
 protected:
  // Every site has one node.
  static Instance instance(const AlgorithmKind& kind) {
    return {.family = GetParam(),
            .nodes = processes.count,
            .dim = 37,
            .rows = 5,
            .local_steps = kind.local_steps ? 3 : 1,
            .noise = 0.1,
            .seed = 3};
  }
  template <class Given>
  static void expect_same(const Given& give, const AlgorithmKind& kind, const std::string& what) {
    const Instance of = instance(kind);
    const auto network = Peers<double>::make(give(of.mixing()));
    LocalNetwork local(give(of.mixing()));
    const NodeRange mine = network->hosted();
    ASSERT_EQ(mine.size(), 1);
    EXPECT_EQ(trajectory(*network, of, kind, mine), trajectory(local, of, kind, mine))
        << kind.name << ", " << what << ", " << GetParam() << " of " << processes.count;
  }
};

TEST_P(SameBits, OfOneProcessForEveryMethodWithoutAServer) {
  int methods = 0;
  for (const AlgorithmKind& kind : algorithm_kinds()) {
    if (!has_no_server(kind)) continue;
    expect_same([](MixingMatrix mixing) { return mixing; }, kind, "whole letters");
    ++methods;
  }
  EXPECT_GT(methods, 8);
}

TEST_P(SameBits, OfOneProcessForEveryCodecAndFault) {
  const AlgorithmKind& kind = *find_algorithm_kind("k-gt");
  for (const Sky& sky : all_skies()) {
    if (processes.count == 2 && !sky.sequence.empty()) continue;
    expect_same([&](MixingMatrix mixing) { return sky.over(std::move(mixing)); }, kind, sky.name);
  }
}

INSTANTIATE_TEST_SUITE_P(Graphs, SameBits, ::testing::Values("ring", "star", "erdos_renyi"),
                         [](const auto& info) { return info.param; });

MixingMatrix ring(NodeId nodes) {
  return make_mixing(make_graph({.family = "ring", .nodes = nodes}), Weights::metropolis);
}

TEST(PeerNetwork, SendsTheBytesThatAreMetered) {
  const auto network = Peers<double>::make(ring(processes.count));
  Rows<double> x(network->hosted(), 33);
  Rows<double> z = x;
  network->mix({&x, &z});
  network->mix({&x});
  const double sent =
      network->mean([&](NodeId) { return static_cast<double>(network->bytes_sent()); });
  EXPECT_DOUBLE_EQ(sent * processes.count, static_cast<double>(network->traffic().total()));
}

TEST(PeerNetwork, KeepsModelsAmongNeighboursUnlessTheyMayTravel) {
  if (processes.count < 2) GTEST_SKIP() << "one site has no neighbours";
  peers::PeerNetwork network(ring(processes.count), {.count = processes.count,
                                                     .own = processes.own,
                                                     .edges = processes.edges,
                                                     .patience = {.seconds = 30}});
  Rows<double> x(network.hosted(), 3);
  Rows<double> room;
  const auto words = [](const auto& work) { return fault_in(work); };
  EXPECT_TRUE(contains(words([&] { network.average({&x}); }), "sites show theirs to neighbours"));
  EXPECT_TRUE(
      contains(words([&] { network.collect(x, room); }), "sites show theirs to neighbours"));
  EXPECT_TRUE(contains(words([&] { network.distribute(room, x); }), "sites show theirs"));
  EXPECT_NO_THROW(network.mix({&x}));
  EXPECT_EQ(network.mean([](NodeId) { return 2.0; }), 2.0) << "numbers may";
}

TEST(PeerNetwork, RefusesMoreSitesThanNodesAndLinksWithoutAnEdge) {
  if (processes.count < 2) GTEST_SKIP() << "one site is never too many";
  EXPECT_THROW(peers::PeerNetwork(ring(1), {.count = 2, .own = 0}), ConfigError);
  EXPECT_TRUE(contains(fault_in([] { peers::PeerNetwork(ring(2), {.count = 2, .own = 0}); }),
                       "site 0 has links with site 1, and no edge to it"));
}

}  // namespace
}  // namespace driftless::testing
