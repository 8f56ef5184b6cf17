#include "driftless/record/closing_table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace driftless {
namespace {

Metrics row(Round round, double suboptimality) {
  Metrics metrics;
  metrics.round = round;
  metrics.bytes_total = static_cast<Bytes>(1000 * round);
  metrics.bytes_busiest = static_cast<Bytes>(10 * round);
  metrics.suboptimality = suboptimality;
  return metrics;
}

RunDigest digest_of(const std::vector<double>& curve, std::optional<double> target,
                    Outcome outcome = Outcome::finished) {
  RunDigest digest(static_cast<Round>(curve.size()) - 1, target);
  for (std::size_t t = 0; t < curve.size(); ++t) {
    digest.add(row(static_cast<Round>(t), curve[t]));
  }
  digest.end({.outcome = outcome, .last = {}});
  return digest;
}

TEST(RunDigest, ReachTheTargetWhereTheyStayBelowIt) {
  const RunDigest digest = digest_of({9, 0.5, 3, 1, 0.5, 0.7, 0.2}, 1.0);
  ASSERT_TRUE(digest.reached());
  EXPECT_EQ(digest.reached()->round, 3) << "below in round 1, but not for good; equal counts";
  EXPECT_EQ(digest.reached()->bytes_total, 3000);
  EXPECT_EQ(digest.reached()->bytes_busiest, 30);
}

TEST(RunDigest, DoNotReachATargetThatTheyLeaveAgain) {
  EXPECT_FALSE(digest_of({9, 0.5, 0.5, 2}, 1.0).reached());
  EXPECT_FALSE(digest_of({9, 8, 7}, 1.0).reached());
  EXPECT_FALSE(digest_of({9, 0.5}, std::nullopt).reached());
}

TEST(RunDigest, DoNotReachATargetByLosingTheirNumbers) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(digest_of({9, 0.5, nan}, 1.0, Outcome::diverged).reached());
}

TEST(RunDigest, LevelIsTheMeanOfTheLastFifth) {
  // Ten rounds: those from 8 on.
  const RunDigest digest = digest_of({99, 99, 99, 99, 99, 99, 99, 99, 1, 2, 6}, std::nullopt);
  ASSERT_TRUE(digest.level());
  EXPECT_DOUBLE_EQ(*digest.level(), 3.0);
}

TEST(RunDigest, TakeTheLossWhereTheOptimumIsNotKnown) {
  RunDigest digest(10, 1.0);
  Metrics row;
  row.round = 9;
  row.loss = 2;
  digest.add(row);
  EXPECT_FALSE(digest.reached());
  row.round = 10;
  row.loss = 0.5;
  row.test_accuracy = 0.75;
  digest.add(row);
  EXPECT_FALSE(digest.optimum_known());
  EXPECT_EQ(digest.reached()->round, 10);
  EXPECT_DOUBLE_EQ(*digest.level(), 1.25);
  EXPECT_DOUBLE_EQ(*digest.accuracy(), 0.75);
  EXPECT_FALSE(digest.worst_accuracy());
  EXPECT_FALSE(digest.outcome());
}

TEST(EstimateOf, IsOverAllRunsOrNone) {
  const std::vector<RunDigest> reached{digest_of({9, 0.5, 0.5}, 1.0),
                                       digest_of({9, 9, 9, 0.5}, 1.0)};
  EXPECT_DOUBLE_EQ(estimate_of(reached, &RunDigest::rounds_to_target)->mean, 2);
  EXPECT_DOUBLE_EQ(estimate_of(reached, &RunDigest::bytes_to_target)->mean, 2000);
  EXPECT_FALSE(estimate_of(reached, &RunDigest::accuracy));
  const std::vector<RunDigest> some{reached[0], digest_of({9, 9, 9}, 1.0), reached[1]};
  EXPECT_FALSE(estimate_of(some, &RunDigest::rounds_to_target));
  EXPECT_EQ(numbers_of(some, &RunDigest::rounds_to_target), (std::vector<double>{1, 3}));
}

// Two methods and three repetitions of each.
ExperimentPlan plan_of_two(std::optional<double> target) {
  ExperimentPlan plan;
  plan.varied_keys = {"algorithm.kind"};
  plan.repetitions = 3;
  plan.target = target;
  for (const char* kind : {"k-gt", "d-sgd"}) {
    Combination& combination = plan.combinations.emplace_back();
    combination.name = std::string("kind=") + kind;
    combination.varied = {{"algorithm.kind", kind}};
    combination.runs.resize(3);
  }
  return plan;
}

// The table of a plan whose runs came to these digests, in their order.
std::string table_of(const ExperimentPlan& plan, const std::vector<RunDigest>& digests) {
  Results results;
  auto digest = digests.begin();
  for (const Combination& combination : plan.combinations) {
    CombinationResult& result = results.emplace_back();
    result.plan = &combination;
    for (std::size_t k = 0; k < combination.runs.size(); ++k) result.runs.push_back(*digest++);
  }
  return closing_table(plan, results);
}

TEST(ClosingTable, AlignsItsColumns) {
  std::vector<RunDigest> digests;
  for (const double level : {0.01, 0.02, 0.03}) digests.push_back(digest_of({9, level}, 1.0));
  for (const double level : {2.0, 2.0, 2.0}) digests.push_back(digest_of({9, level}, 1.0));
  EXPECT_EQ(table_of(plan_of_two(1.0), digests),
            "method  rounds to 1         bytes           final suboptimality\n"
            "k-gt      1 (all 3)  1 kB (all 3)  2.00e-02 (1.00e-02–3.00e-02)\n"
            "d-sgd   not reached                            2.00e+00 (all 3)\n");
}

TEST(ClosingTable, LeavesOutTheTargetWhenThereIsNone) {
  const std::vector<RunDigest> digests(6, digest_of({9, 1}, std::nullopt));
  EXPECT_EQ(table_of(plan_of_two(std::nullopt), digests),
            "method  final suboptimality\n"
            "k-gt       1.00e+00 (all 3)\n"
            "d-sgd      1.00e+00 (all 3)\n");
}

TEST(ClosingTable, TellsRunsThatDidNotEndWell) {
  const std::optional<double> none;
  std::vector<RunDigest> digests(3, digest_of({9, 1}, none, Outcome::diverged));
  digests.push_back(digest_of({9, 1}, none));
  digests.push_back(digest_of({9, 1}, none, Outcome::diverged));
  digests.push_back(digest_of({9, 1}, none));
  EXPECT_EQ(table_of(plan_of_two(none), digests),
            "method   final suboptimality\n"
            "k-gt                diverged\n"
            "d-sgd   diverged (in 1 of 3)\n");
  digests.assign(3, digest_of({9, 1}, none, Outcome::interrupted));
  digests.resize(6);
  EXPECT_EQ(table_of(plan_of_two(none), digests),
            "method  final suboptimality\n"
            "k-gt            interrupted\n"
            "d-sgd               not run\n");
}

TEST(ClosingTable, OfASingleRunNamesItsMethod) {
  ExperimentPlan plan;
  plan.combinations.emplace_back().runs.resize(1);
  plan.combinations[0].runs[0].config.algorithm.kind = "led";
  EXPECT_EQ(table_of(plan, {digest_of({9, 1}, std::nullopt)}),
            "method  final suboptimality\n"
            "led                1.00e+00\n");
}

}  // namespace
}  // namespace driftless
