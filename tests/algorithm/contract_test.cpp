// What the loop, the checkpoints and the figures rely on, for every method of the registry.
#include <gtest/gtest.h>

#include "tests/support/recording_problem.hpp"
#include "tests/support/trial.hpp"

namespace driftless::testing {
namespace {

constexpr Round rounds = 5;

class AlgorithmContract : public ::testing::TestWithParam<std::size_t> {
 protected:
  const AlgorithmKind& kind() const { return algorithm_kinds()[GetParam()]; }

  // A tree, so that the busiest node is not like the others.
  Instance instance(NodeId nodes = 7) const {
    return {.family = "binary_tree",
            .weights = Weights::lazy_metropolis,
            .nodes = nodes,
            .dim = 5,
            .rows = 6,
            .local_steps = kind().local_steps ? 3 : 1,
            .reach = 0.3,
            .communication_rate = kind().communication_rate ? 0.8 : 1.0,
            .noise = 1.0,
            .distinct_starts = kind().name != "scaffold",
            .gradient_start = false,
            .seed = 11};
  }

  Trial start(const Problem<double>& problem, const AlgorithmOptions& options) const {
    return {kind().name, problem, instance(problem.nodes()).mixing(), options};
  }
};

TEST_P(AlgorithmContract, CountsTheStochasticGradientsOfANode) {
  const auto exact = instance().problem();
  for (const bool gradient_start : {false, true}) {
    if (gradient_start && !kind().has("initial_correction")) continue;
    const RecordingProblem problem(*exact);
    Instance with_start = instance();
    with_start.gradient_start = gradient_start;
    Trial trial = start(problem, with_start.options());
    EXPECT_EQ(trial.algorithm().gradients(), problem.calls(0));
    for (Round t = 0; t < rounds; ++t) {
      trial.round(t);
      EXPECT_EQ(trial.algorithm().gradients(), problem.calls(0)) << "round " << t;
      EXPECT_EQ(problem.calls(0), problem.calls(6)) << "nodes work equally";
    }
  }
}

TEST_P(AlgorithmContract, SendsTheVectorsThatTheRegistrySays) {
  const auto problem = instance().problem();
  Trial trial = start(*problem, instance().options());  // H = 3
  const MixingMatrix mixing = instance().mixing();
  const Bytes vector = 5 * sizeof(double);
  Bytes by_edges = 0;   // over one edge, one way
  Bytes by_server = 0;  // from one node to the server
  EXPECT_EQ(trial.network().traffic().total(), 0U);
  for (Round t = 0; t < rounds; ++t) {
    trial.round(t);
    const bool global = kind().has("global_every") && (t + 1) % 3 == 0;
    if (!global) by_edges += static_cast<Bytes>(kind().vectors_an_edge) * vector;
    if (global || !kind().has("global_every")) {
      by_server += static_cast<Bytes>(kind().vectors_a_server) * vector;
    }
    // 7 nodes, 6 edges, at most 3 neighbours; both directions count.
    ASSERT_EQ(mixing.edges(), 6);
    ASSERT_EQ(mixing.max_degree(), 3);
    EXPECT_EQ(trial.network().traffic().total(), 12 * by_edges + 14 * by_server);
    EXPECT_EQ(trial.network().traffic().busiest(),
              std::max(6 * by_edges + 2 * by_server, 14 * by_server));
  }
}

TEST_P(AlgorithmContract, StartsFromGradientsByOneGlobalAverage) {
  Instance from_gradients = instance();
  from_gradients.gradient_start = true;
  const auto problem = from_gradients.problem();
  const Trial trial = start(*problem, from_gradients.options());
  EXPECT_EQ(trial.network().traffic().uplink(),
            kind().has("initial_correction") ? 5 * sizeof(double) : 0);
  EXPECT_EQ(trial.network().traffic().edge(), 0U);
}

TEST_P(AlgorithmContract, ContinuesFromItsStateBitForBit) {
  const auto problem = instance().problem();
  AlgorithmOptions options = instance().options();
  options.schedule = {.kind = Schedule::Kind::inverse_sqrt, .scale = 3};
  Trial whole = start(*problem, options);
  for (Round t = 0; t < rounds; ++t) whole.round(t);

  Trial resumed = start(*problem, options);
  const auto saved = whole.algorithm().state();
  const auto copy = [&](const std::vector<NamedRows<double>>& restored) {
    ASSERT_EQ(saved.size(), restored.size());
    for (std::size_t k = 0; k < saved.size(); ++k) {
      EXPECT_EQ(saved[k].name, restored[k].name);
      *restored[k].rows = *saved[k].rows;
    }
  };
  resumed.algorithm().resume(rounds, whole.algorithm().gradients(), copy);
  for (Round t = rounds; t < 2 * rounds; ++t) {
    EXPECT_EQ(whole.models(), resumed.models()) << "before round " << t;
    EXPECT_EQ(whole.corrections(), resumed.corrections()) << "before round " << t;
    EXPECT_EQ(whole.algorithm().gradients(), resumed.algorithm().gradients());
    whole.round(t);
    resumed.round(t);
  }
}

TEST_P(AlgorithmContract, StartsAfreshWhenItIsStartedAgain) {
  const auto problem = instance().problem();
  Trial fresh = start(*problem, instance().options());
  Trial used = start(*problem, instance().options());
  for (Round t = 0; t < rounds; ++t) used.round(t);
  used.algorithm().start(starting_models(*problem, used.network()));
  EXPECT_EQ(apart(fresh, used), 0);
  EXPECT_EQ(fresh.algorithm().gradients(), used.algorithm().gradients());
}

TEST_P(AlgorithmContract, RunsInSinglePrecisionAlongTheSamePath) {
  const auto wide = instance().problem();
  const auto narrow = make_least_squares<float>(instance().data(), instance().noise);
  const AlgorithmOptions options = instance().options();
  const double distance =
      apart(Trial(kind().name, *wide, instance().mixing(), options),
            BasicTrial<float>(kind().name, *narrow, instance().mixing(), options));
  EXPECT_GT(distance, 0);
  EXPECT_LT(distance, 1e-5);
}

// The samples of an only node are those of plain SGD.
TEST_P(AlgorithmContract, IsSgdOnOneNode) {
  const Instance alone = instance(1);
  const auto exact = alone.problem();
  const RecordingProblem problem(*exact);
  const AlgorithmOptions options = alone.options();
  Trial trial = start(problem, options);
  Eigen::MatrixXd x = trial.models();
  for (Round t = 0; t < rounds; ++t) {
    trial.round(t);
    x -= options.local_rate * options.communication_rate * problem.mean_gradient_sum(t).transpose();
    EXPECT_LT(difference(x, trial.models()), rounding) << "round " << t;
  }
}

TEST_P(AlgorithmContract, TakesHalfTheRateWhereTheScheduleHalvesIt) {
  const auto problem = instance().problem();
  AlgorithmOptions scheduled = instance().options();
  scheduled.schedule = {.kind = Schedule::Kind::step, .every = rounds, .factor = 0.5};
  AlgorithmOptions halved = instance().options();
  halved.local_rate *= 0.5;
  Trial a = start(*problem, scheduled);
  Trial b = start(*problem, halved);
  Trial unscheduled = start(*problem, instance().options());
  for (Round t = rounds; t < 2 * rounds; ++t) {
    a.round(t);
    b.round(t);
    unscheduled.round(t);
    EXPECT_EQ(a.models(), b.models()) << "round " << t;
  }
  EXPECT_GT(difference(a.models(), unscheduled.models()), 1e-3);
}

INSTANTIATE_TEST_SUITE_P(Kinds, AlgorithmContract,
                         ::testing::Range<std::size_t>(0, algorithm_kinds().size()),
                         [](const auto& tested) {
                           std::string name(algorithm_kinds()[tested.param].name);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace driftless::testing
