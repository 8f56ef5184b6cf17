#include "driftless/reproduce/adjust_plan.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

ExperimentPlan plan_of_four() {
  return plan_experiment(
      "[algorithm]\nlocal_rate = 0.1\n[run]\nrounds = 5\nrepetitions = 12\n[sweep]\n"
      "algorithm.kind = ['k-gt', 'd-sgd']\nnetwork.nodes = [5, 10]\n",
      "test.toml", "/folder");
}

Claim undecided(std::size_t seeds, const std::string& experiment, const Where& where) {
  Claim claim{.statement = "", .measured = ""};
  claim.seeds_to_decide = seeds;
  claim.sample.sides.push_back(
      {.experiment = experiment, .where = where, .seeds = {}, .values = {}, .configs = {}});
  return claim;
}

TEST(ToDecideWith, NamesTheRunsOfClaimsThatSoManySeedsWouldDecide) {
  const Where k_gt{{"algorithm.kind", "k-gt"}};
  const Where d_sgd{{"algorithm.kind", "d-sgd"}};
  const std::vector<Claim> claims{undecided(12, "a", k_gt), undecided(20, "a", d_sgd),
                                  undecided(12, "b", d_sgd),
                                  Claim{.statement = "", .measured = ""}};
  EXPECT_EQ(to_decide_with(12, claims), (SettingsByExperiment{{"a", {k_gt}}, {"b", {d_sgd}}}));
}

TEST(LimitOthers, LeavesMoreRunsToTheSettingsAlone) {
  ExperimentPlan plan = plan_of_four();
  limit_others(plan, {{{"algorithm.kind", "k-gt"}, {"network.nodes", "10"}}}, 7);
  ASSERT_EQ(plan.combinations.size(), 4U);
  for (const Combination& each : plan.combinations)
    EXPECT_EQ(each.runs.size(), each.name == "kind=k-gt,nodes=10" ? 12U : 7U) << each.name;
}

TEST(LeaveOut, TakesCombinationsOut) {
  ExperimentPlan plan = plan_of_four();
  leave_out(plan, {{"algorithm.kind", "d-sgd"}});
  ASSERT_EQ(plan.combinations.size(), 2U);
  EXPECT_EQ(plan.combinations[1].name, "kind=k-gt,nodes=10");
}

}  // namespace
}  // namespace driftless
