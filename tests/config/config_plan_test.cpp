// A config file becomes runs: defaults, overrides, sweeps, repetitions, folders.
#include <gtest/gtest.h>

#include "driftless/base/error.hpp"
#include "driftless/config/key.hpp"
#include "driftless/config/plan.hpp"
#include "tests/config/config_text.hpp"

namespace driftless {
namespace {

using namespace testing_config;

// Complete; further tables may follow.
const std::string complete = R"(
[algorithm]
kind = "k-gt"
local_rate = 1e-3
[run]
rounds = 250
)";

Texts folders(const ExperimentPlan& plan) {
  Texts names;
  for (const PlannedRun* run : plan.runs()) names.push_back(run->folder.string());
  return names;
}

TEST(ExperimentPlan, FillsDefaultsAroundTheRequiredKeys) {
  const ExperimentPlan plan = plan_of(complete);
  ExperimentConfig expected;
  expected.algorithm.kind = "k-gt";
  expected.algorithm.options["local_rate"] = 1e-3;
  expected.run.rounds = 250;
  ASSERT_EQ(plan.runs().size(), 1U);
  fill_in_defaults(expected);
  EXPECT_EQ(plan.runs()[0]->config, expected);
  EXPECT_EQ(plan.runs()[0]->folder, "");
  EXPECT_EQ(plan.runs()[0]->combination, "");
  EXPECT_TRUE(plan.varied_keys.empty());
}

TEST(ExperimentPlan, ReadsEveryKeyIntoItsField) {
  const ExperimentPlan plan = plan_of(R"(
[problem]
kind = "least_squares"
dim = 7
heterogeneity = 10
noise = 0
[network]
nodes = 12
topology = "torus"
rows = 3
columns = 4
weights = "lazy_max_degree"
[algorithm]
kind = "periodical-gt"
local_steps = 20
local_rate = 1
communication_rate = 0.5
initial_correction = "gradient"
[schedule]
kind = "step"
warmup_rounds = 3
every = 100
factor = 0.5
[run]
rounds = 300
seed = 9223372036854775807
evaluate_every = 10
drift = true
target = 1e-6
)");
  ExperimentConfig expected;
  expected.problem.options["dim"] = 7;
  expected.problem.options["heterogeneity"] = 10.0;
  expected.problem.options["noise"] = 0.0;
  expected.network.nodes = 12;
  expected.network.topology = "torus";
  expected.network.rows = 3;
  expected.network.columns = 4;
  expected.network.weights = "lazy_max_degree";
  expected.algorithm.kind = "periodical-gt";
  expected.algorithm.options["local_steps"] = 20;
  expected.algorithm.options["local_rate"] = 1.0;
  expected.algorithm.options["communication_rate"] = 0.5;
  expected.algorithm.options["initial_correction"] = "gradient";
  expected.schedule.kind = "step";
  expected.schedule.warmup_rounds = 3;
  expected.schedule.every = 100;
  expected.schedule.factor = 0.5;
  expected.run.rounds = 300;
  expected.run.seed = 9223372036854775807U;
  expected.run.evaluate_every = 10;
  expected.run.drift = true;
  expected.run.target = 1e-6;
  fill_in_defaults(expected);
  EXPECT_EQ(plan.runs().at(0)->config, expected);
  EXPECT_EQ(plan.target, 1e-6);
}

TEST(ExperimentPlan, SeesFilesFromTheFolderOfTheConfig) {
  const ExperimentPlan plan = plan_of(complete + R"(
[problem]
file = "data/../p.json"
[network]
file = "/elsewhere/w.mtx"
)");
  const ExperimentConfig& config = plan.runs().at(0)->config;
  EXPECT_EQ(config.problem.options.at("file"), Value("/folder/p.json"));
  EXPECT_EQ(config.network.file, "/elsewhere/w.mtx");
  EXPECT_EQ(config.network.nodes, std::nullopt) << "the files say how many nodes there are";
}

TEST(ExperimentPlan, KeepsTheNodesThatAreGivenBesideAFile) {
  const ExperimentPlan plan =
      plan_of(complete + "[problem]\nfile = \"p.json\"\n[network]\nnodes = 4");
  EXPECT_EQ(plan.runs().at(0)->config.network.nodes, 4);
}

TEST(ExperimentPlan, TakesOverridesAsTomlOrAsBareText) {
  const ExperimentPlan plan =
      plan_of(complete, {"algorithm.kind=d-sgd", "run.rounds = 7", "problem.heterogeneity=1e2",
                         "network.topology=\"star\"", "run.drift=true", "run.rounds=8"});
  const ExperimentConfig& config = plan.runs().at(0)->config;
  EXPECT_EQ(config.algorithm.kind, "d-sgd");
  EXPECT_EQ(config.run.rounds, 8) << "the last one counts";
  EXPECT_EQ(config.problem.options.at("heterogeneity"), Value(100.0));
  EXPECT_EQ(config.network.topology, "star");
  EXPECT_TRUE(config.run.drift);
}

TEST(ExperimentPlan, GivesEachRepetitionTheNextSeed) {
  const ExperimentPlan plan = plan_of(complete + "repetitions = 3\nseed = 40\n");
  EXPECT_EQ(folders(plan), (Texts{"rep-1", "rep-2", "rep-3"}));
  for (int k = 1; k <= 3; ++k) {
    const PlannedRun& run = *plan.runs().at(static_cast<std::size_t>(k - 1));
    EXPECT_EQ(run.repetition, k);
    EXPECT_EQ(run.config.run.seed, 39U + static_cast<unsigned>(k));
    EXPECT_EQ(run.config.run.repetitions, 1) << "the run alone, from its own config";
  }
}

TEST(Sweep, RunsTheLastKeyFastestInTheOrderOfTheFile) {
  const ExperimentPlan plan = plan_of(complete + R"(
[sweep]
"problem.heterogeneity" = [10, 0]
"algorithm.kind" = ["k-gt", "d-sgd"]
)");
  EXPECT_EQ(folders(plan), (Texts{"heterogeneity=10,kind=k-gt", "heterogeneity=10,kind=d-sgd",
                                  "heterogeneity=0,kind=k-gt", "heterogeneity=0,kind=d-sgd"}));
  EXPECT_EQ(plan.varied_keys, (Texts{"problem.heterogeneity", "algorithm.kind"}));
  EXPECT_EQ(plan.runs()[1]->config.problem.options.at("heterogeneity"), Value(10.0));
  EXPECT_EQ(plan.runs()[1]->config.algorithm.kind, "d-sgd");
  EXPECT_EQ(plan.combinations[1].varied[0],
            std::pair(std::string("problem.heterogeneity"), std::string("10")));
}

TEST(Sweep, TakesDottedKeysAndNestedTablesToo) {
  EXPECT_EQ(folders(plan_of(complete + R"(
[sweep]
problem.heterogeneity = [3, 0]
algorithm.kind = ["k-gt", "d-sgd"]
problem.dim = 3
)")),
            (Texts{"heterogeneity=3,kind=k-gt", "heterogeneity=3,kind=d-sgd",
                   "heterogeneity=0,kind=k-gt", "heterogeneity=0,kind=d-sgd"}));
  EXPECT_EQ(folders(plan_of(complete + "[sweep.algorithm]\nlocal_steps = [1, 2]\n")),
            (Texts{"local_steps=1", "local_steps=2"}));
}

TEST(Sweep, OrdersInterleavedDottedKeysAsTheFileDoes) {
  const ExperimentPlan plan = plan_of(complete + R"(
[sweep]
run.seed = [1, 2]
algorithm.local_steps = [1, 2]
run.rounds = [5, 6]
)");
  EXPECT_EQ(plan.varied_keys, (Texts{"run.seed", "algorithm.local_steps", "run.rounds"}));
}

TEST(Sweep, JoinsSeveralGridsInOrder) {
  const ExperimentPlan plan = plan_of(complete + R"(
[[sweep]]
"algorithm.kind" = ["k-gt", "d-sgd"]
"algorithm.local_steps" = [20]
[[sweep]]
"algorithm.kind" = "gt"
"run.rounds" = 5000
)");
  EXPECT_EQ(folders(plan),
            (Texts{"kind=k-gt,local_steps=20,rounds=250", "kind=d-sgd,local_steps=20,rounds=250",
                   "kind=gt,local_steps=1,rounds=5000"}));
}

TEST(Sweep, LeavesAValueEmptyWhereTheRunHasNoSuchKey) {
  const ExperimentPlan plan = plan_of(complete + R"(
[[sweep]]
"algorithm.kind" = "gossip-pga"
"algorithm.global_every" = [2, 4]
[[sweep]]
"algorithm.kind" = "d-sgd"
)");
  EXPECT_EQ(folders(plan), (Texts{"kind=gossip-pga,global_every=2",
                                  "kind=gossip-pga,global_every=4", "kind=d-sgd"}));
  EXPECT_EQ(plan.combinations[2].varied[1].second, "");
}

TEST(Sweep, LeavesOutACombinationThatWasThereBefore) {
  EXPECT_EQ(folders(plan_of(complete + R"(
[[sweep]]
"problem.heterogeneity" = [0, 1, 1.0]
[[sweep]]
"problem.heterogeneity" = [1, 2]
)")),
            (Texts{"heterogeneity=0", "heterogeneity=1", "heterogeneity=2"}));
}

TEST(Sweep, WinsOverTheSectionForGridsThatHaveTheKey) {
  const ExperimentPlan plan = plan_of(R"(
[algorithm]
kind = "k-gt"
local_rate = 1e-3
local_steps = 5
[run]
rounds = 1
[[sweep]]
"algorithm.local_steps" = [1, 2]
[[sweep]]
"algorithm.kind" = "d-sgd"
)");
  EXPECT_EQ(plan.runs().at(0)->config.algorithm.options.at("local_steps"), Value(1));
  EXPECT_EQ(plan.runs().at(1)->config.algorithm.options.at("local_steps"), Value(2));
  EXPECT_EQ(plan.runs().at(2)->config.algorithm.options.at("local_steps"), Value(5));
}

TEST(Sweep, EndsForAKeyThatIsOverridden) {
  const std::string text = complete + R"(
[sweep]
"algorithm.kind" = ["k-gt", "d-sgd"]
"problem.heterogeneity" = [0, 1]
)";
  const ExperimentPlan plan = plan_of(text, {"algorithm.kind=led"});
  EXPECT_EQ(folders(plan), (Texts{"heterogeneity=0", "heterogeneity=1"}));
  EXPECT_EQ(plan.runs()[0]->config.algorithm.kind, "led");
  EXPECT_EQ(plan.varied_keys, Texts{"problem.heterogeneity"});
}

TEST(Sweep, PutsRepetitionsInsideEachCombination) {
  EXPECT_EQ(folders(plan_of(complete + R"(
repetitions = 2
[sweep]
"algorithm.kind" = ["k-gt", "gt"]
)")),
            (Texts{"kind=k-gt/rep-1", "kind=k-gt/rep-2", "kind=gt/rep-1", "kind=gt/rep-2"}));
}

TEST(Sweep, NamesFoldersInFullWhereLastComponentsClash) {
  EXPECT_EQ(folders(plan_of(complete + R"(
[sweep]
"algorithm.kind" = ["k-gt", "gt"]
"schedule.kind" = ["constant", "cosine"]
)"))[0],
            "algorithm.kind=k-gt,schedule.kind=constant");
}

TEST(Sweep, MakesFolderNamesSafeAndDistinct) {
  EXPECT_EQ(folders(plan_of(complete + R"(
[sweep]
"problem.file" = ["a/b.json", "a b.json", "a_b.json", "../c.json"]
)")),
            (Texts{"file=a_b.json", "file=a_b.json~2", "file=a_b.json~3", "file=.._c.json"}));
  const std::string longer(300, 'x');
  const ExperimentPlan plan =
      plan_of(complete + "[sweep]\nproblem.file = ['" + longer + "1', '" + longer + "2']\n");
  EXPECT_LT(plan.runs()[0]->combination.size(), 100U);
  EXPECT_NE(plan.runs()[0]->folder, plan.runs()[1]->folder);
}

TEST(Sweep, NamesTheRunThatLeavesAllVariedKeysUnset) {
  EXPECT_EQ(folders(plan_of(complete + R"(
[network]
topology = "torus"
[[sweep]]
[[sweep]]
"network.rows" = 2
)")),
            (Texts{"base", "rows=2"}));
}

TEST(Sweep, DoesNotVaryAKeyWithOneValue) {
  EXPECT_EQ(folders(plan_of(complete + "[sweep]\n\"algorithm.kind\" = [\"gt\"]\n")), Texts{""});
}

}  // namespace
}  // namespace driftless
