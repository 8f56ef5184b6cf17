// [tune] in a config becomes tuning runs.
#include <gtest/gtest.h>

#include "driftless/config/plan.hpp"
#include "driftless/config/tune_plan.hpp"
#include "tests/config/config_text.hpp"

namespace driftless {
namespace {

using namespace testing_config;

const std::string tuned = R"(
[algorithm]
local_steps = 3
[run]
rounds = 50
seed = 7
repetitions = 2
[sweep]
"algorithm.kind" = ["k-gt", "d-sgd"]
[tune]
"algorithm.local_rate" = [0.1, 0.01]
algorithm.communication_rate = [1, 0.5]
metric = "loss"
rounds = 20
repetitions = 3
)";

double number(const PlannedRun& run, const std::string& option) {
  return from_value<double>(run.config.algorithm.options.at(option));
}

TEST(TunePlan, HasEveryPointForEveryCombination) {
  const ExperimentPlan plan = plan_of(tuned);
  ASSERT_TRUE(plan.tuning);
  EXPECT_EQ(plan.tuning->keys, (Texts{"algorithm.local_rate", "algorithm.communication_rate"}));
  ASSERT_EQ(plan.combinations.size(), 2U);
  for (const Combination& combination : plan.combinations) {
    std::vector<Texts> grid;
    for (const Candidate& candidate : combination.candidates) {
      grid.push_back(candidate.values);
      EXPECT_EQ(candidate.runs.size(), 3U);
    }
    EXPECT_EQ(grid,
              (std::vector<Texts>{{"0.1", "1"}, {"0.1", "0.5"}, {"0.01", "1"}, {"0.01", "0.5"}}));
  }
  const Candidate& candidate = plan.combinations[1].candidates[2];
  EXPECT_EQ(candidate.folder, "kind=d-sgd/tune/local_rate=0.01,communication_rate=1");
  const PlannedRun& run = candidate.runs[1];
  EXPECT_EQ(run.folder, "kind=d-sgd/tune/local_rate=0.01,communication_rate=1/rep-2");
  EXPECT_EQ(run.config.algorithm.kind, "d-sgd");
  EXPECT_EQ(number(run, "local_rate"), 0.01);
  EXPECT_EQ(number(run, "communication_rate"), 1);
  EXPECT_EQ(number(run, "local_steps"), 3);
  EXPECT_EQ(run.config.run.rounds, 20);
  EXPECT_EQ(run.config.tune, TuneConfig{}) << "a run's own config says nothing of tuning";
}

TEST(TunePlan, SharesNoSeedWithTheFinalRuns) {
  for (const Texts& overrides : {Texts{}, Texts{"tune.seed=4"}, Texts{"tune.seed=9"}}) {
    const ExperimentPlan plan = plan_of(tuned, overrides);
    for (const PlannedRun* tuning : plan.tuning_runs())
      for (const PlannedRun* run : plan.runs())
        EXPECT_NE(tuning->config.run.seed, run->config.run.seed);
  }
  for (const char* seed : {"5", "6", "7", "8"}) {
    const std::string error = error_of(tuned, {std::string("tune.seed=") + seed});
    EXPECT_NE(error.find("meet 7 to 8 of the final runs"), std::string::npos) << error;
  }
}

TEST(TunePlan, LeavesTheFinalRunsTheirRoundsAndFolders) {
  const ExperimentPlan plan = plan_of(tuned);
  ASSERT_EQ(plan.runs().size(), 4U);
  const PlannedRun& last = plan.combinations[1].runs[1];
  EXPECT_EQ(last.folder, "kind=d-sgd/rep-2");
  EXPECT_EQ(last.config.run.rounds, 50);
  EXPECT_EQ(last.config.run.seed, 8U);
  EXPECT_EQ(plan.varied_keys, Texts{"algorithm.kind"});
}

TEST(TunePlan, OfASingleRunLeavesTheTopToTheExperiment) {
  const ExperimentPlan plan = plan_of(tuned, {"algorithm.kind=gt", "algorithm.local_steps=1",
                                              "run.repetitions=1", "tune.repetitions=1"});
  ASSERT_EQ(plan.runs().size(), 1U);
  EXPECT_EQ(plan.runs()[0]->folder, "rep-1");
  EXPECT_EQ(plan.tuning_runs()[0]->folder, "tune/local_rate=0.1,communication_rate=1");
}

TEST(TunePlan, GivesTheFinalRunsTheChosenValues) {
  ExperimentPlan plan = plan_of(tuned);
  plan.combinations[1].choose(3);
  EXPECT_EQ(number(plan.combinations[0].runs[1], "local_rate"), 0.1) << "nothing was chosen";
  for (const PlannedRun& run : plan.combinations[1].runs) {
    EXPECT_EQ(number(run, "local_rate"), 0.01);
    EXPECT_EQ(number(run, "communication_rate"), 0.5);
    EXPECT_EQ(run.config.algorithm.kind, "d-sgd");
    EXPECT_EQ(run.config.run.rounds, 50);
  }
}

TEST(KeysAtEdge, AreThoseWithTheLeastOrGreatestOfTheirNumbers) {
  const Tuning tuning{
      .config = {},
      .keys = {"algorithm.local_rate", "schedule.kind", "algorithm.communication_rate"}};
  Combination combination;
  for (const Texts& values :
       {Texts{"10", "cosine", "1"}, Texts{"9", "constant", "1"}, Texts{"0.1", "step", "1"}}) {
    combination.candidates.emplace_back().values = values;
  }
  EXPECT_EQ(keys_at_edge(tuning, combination, 0), Texts{"algorithm.local_rate"});
  EXPECT_TRUE(keys_at_edge(tuning, combination, 1).empty()) << "as numbers, not as texts";
  EXPECT_EQ(keys_at_edge(tuning, combination, 2), Texts{"algorithm.local_rate"});
}

TEST(TunePlan, ReadsTheDirectionFromTheMetric) {
  EXPECT_EQ(plan_of(tuned).tuning->config.direction, "min");
  EXPECT_EQ(plan_of(tuned, {"problem.kind=softmax", "tune.metric=test_accuracy"})
                .tuning->config.direction,
            "max");
}

TEST(TunePlan, DoesNotTuneWhatIsSet) {
  const ExperimentPlan one = plan_of(tuned, {"algorithm.local_rate=0.3"});
  EXPECT_EQ(one.tuning->keys, Texts{"algorithm.communication_rate"});
  EXPECT_EQ(number(*one.tuning_runs()[0], "local_rate"), 0.3);
  const ExperimentPlan none =
      plan_of(tuned, {"algorithm.local_rate=0.3", "algorithm.communication_rate=1"});
  EXPECT_FALSE(none.tuning);
}

void expect_fault(const std::string& text, const std::string& expected) {
  const std::string error = error_of(text);
  EXPECT_NE(error.find(expected), std::string::npos) << expected << " is not in: " << error;
}

TEST(TuneFaults, AreToldWithTheirLineAndTheRemedy) {
  const std::string needed = "[algorithm]\nkind = 'k-gt'\n[run]\nrounds = 9\n[tune]\n";
  const std::string grid = "'algorithm.local_rate' = [1, 2]\n";
  expect_fault(needed + grid, "bad.toml:6: tune.metric is missing");
  expect_fault(needed + grid + "metric = 'los'", "did you mean loss?");
  expect_fault(needed + "metric = 'loss'", "bad.toml:6: tune.metric: [tune] names no key to tune");
  expect_fault(needed + "local_rate = [1, 2]", "did you mean algorithm.local_rate?");
  expect_fault(needed + grid + "metric = 'loss'\n'run.rounds' = [1, 2]",
               "bad.toml:8: run.rounds cannot be tuned");
  expect_fault(needed + grid + "metric = 'loss'\n'algorithm.kind' = ['gt']",
               "algorithm.kind cannot be tuned");
  expect_fault(needed + grid + "metric = 'loss'\n[sweep]\n'algorithm.local_rate' = [1]",
               "bad.toml:6: algorithm.local_rate is both swept and tuned");
  expect_fault(needed + grid + "metric = 'loss'\nread = 'mean'", "tune.evaluations is missing");
  expect_fault(needed + grid + "metric = 'loss'\ntarget = 1",
               "tune.target = 1: needs tune.read = rounds_to_target or bytes_to_target");
  expect_fault(needed + grid + "metric = 'test_accuracy'",
               "needs a problem that learns from samples");
  expect_fault(needed + "'algorithm.local_rate' = [-1]\nmetric = 'loss'",
               "bad.toml:6: algorithm.local_rate = -1: expected a number above 0");
  expect_fault("tune = 3\n" + needed.substr(0, needed.find("[tune]")), "bad.toml:1: tune must be");
}

TEST(TunePlan, LeavesOutTheRowsOfTuningRunsBeforeAShare) {
  const ExperimentPlan plan = plan_of(tuned, {"tune.evaluate_from=0.71"});
  EXPECT_EQ(plan.tuning_runs().front()->config.run.evaluate_from, 15) << "of 20 rounds, upwards";
  EXPECT_EQ(plan.runs().front()->config.run.evaluate_from, std::nullopt);
}

// What follows the chosen rate, where it lies at an edge.
std::string next_rate(const std::string& rates, std::size_t chosen) {
  const std::string text =
      "[algorithm]\nkind = 'k-gt'\nlocal_steps = 1\n[run]\nrounds = 5\n[tune]\n"
      "algorithm.local_rate = " +
      rates + "\nmetric = 'loss'\nrepetitions = 2\n";
  const ExperimentPlan plan = plan_of(text);
  const auto further = beyond_the_grid(*plan.tuning, plan.combinations.front(), chosen);
  return further ? further->values.front() : "none";
}

TEST(BeyondTheGrid, GoesOnAsTheGridDoes) {
  EXPECT_EQ(next_rate("[0.5, 0.1, 0.05, 0.01, 0.005, 0.001]", 5), "0.0005");
  EXPECT_EQ(next_rate("[0.5, 0.1, 0.05, 0.01, 0.005, 0.001, 0.0005]", 6), "0.0001");
  EXPECT_EQ(next_rate("[0.5, 0.1, 0.05]", 0), "1") << "in any order of the file";
  EXPECT_EQ(next_rate("[0.1, 0.2]", 0), "0.05");
  EXPECT_EQ(next_rate("[0.1, 0.2]", 1), "0.4");
  EXPECT_EQ(next_rate("[0.1, 0.2, 0.4]", 1), "none") << "it lies inside";
  EXPECT_EQ(next_rate("[0.1]", 0), "none") << "one value has no edge";
}

TEST(BeyondTheGrid, HasRunsAndFoldersOfItsOwn) {
  const ExperimentPlan plan = plan_of(tuned);
  const Combination& combination = plan.combinations.front();
  const auto further = beyond_the_grid(*plan.tuning, combination, 1);  // 0.1 and 0.5
  ASSERT_TRUE(further);
  EXPECT_EQ(further->values, (Texts{"1", "0.25"}));
  EXPECT_EQ(further->folder, "kind=k-gt/tune/local_rate=1,communication_rate=0.25");
  ASSERT_EQ(further->runs.size(), 3U);
  const PlannedRun& run = further->runs[2];
  EXPECT_EQ(run.folder, further->folder / "rep-3");
  EXPECT_EQ(number(run, "local_rate"), 1);
  EXPECT_EQ(number(run, "communication_rate"), 0.25);
  EXPECT_EQ(run.config.run.seed, combination.candidates[1].runs[2].config.run.seed);
}

}  // namespace
}  // namespace driftless
