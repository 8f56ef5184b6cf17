#include "driftless/record/figures.hpp"

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

RunFigures figures_of(const std::vector<double>& curve, std::optional<double> target,
                      Outcome outcome = Outcome::finished) {
  RunFigures figures(static_cast<Round>(curve.size()) - 1, target);
  for (std::size_t t = 0; t < curve.size(); ++t) {
    figures.add(row(static_cast<Round>(t), curve[t]));
  }
  figures.end({.outcome = outcome, .last = {}});
  return figures;
}

TEST(RunFigures, ReachTheTargetWhereTheyStayBelowIt) {
  const RunFigures figures = figures_of({9, 0.5, 3, 1, 0.5, 0.7, 0.2}, 1.0);
  ASSERT_TRUE(figures.reached());
  EXPECT_EQ(figures.reached()->round, 3) << "below in round 1, but not for good; equal counts";
  EXPECT_EQ(figures.reached()->bytes_total, 3000);
  EXPECT_EQ(figures.reached()->bytes_busiest, 30);
}

TEST(RunFigures, DoNotReachATargetThatTheyLeaveAgain) {
  EXPECT_FALSE(figures_of({9, 0.5, 0.5, 2}, 1.0).reached());
  EXPECT_FALSE(figures_of({9, 8, 7}, 1.0).reached());
  EXPECT_FALSE(figures_of({9, 0.5}, std::nullopt).reached());
}

TEST(RunFigures, DoNotReachATargetByLosingTheirNumbers) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(figures_of({9, 0.5, nan}, 1.0, Outcome::diverged).reached());
}

TEST(RunFigures, LevelIsTheMeanOfTheLastFifth) {
  // Ten rounds: those from 8 on.
  const RunFigures figures = figures_of({99, 99, 99, 99, 99, 99, 99, 99, 1, 2, 6}, std::nullopt);
  ASSERT_TRUE(figures.level());
  EXPECT_DOUBLE_EQ(*figures.level(), 3.0);
}

TEST(RunFigures, TakeTheLossWhereTheOptimumIsNotKnown) {
  RunFigures figures(10, 1.0);
  Metrics row;
  row.round = 9;
  row.loss = 2;
  figures.add(row);
  EXPECT_FALSE(figures.reached());
  row.round = 10;
  row.loss = 0.5;
  row.test_accuracy = 0.75;
  figures.add(row);
  EXPECT_FALSE(figures.optimum_known());
  EXPECT_EQ(figures.reached()->round, 10);
  EXPECT_DOUBLE_EQ(*figures.level(), 1.25);
  EXPECT_DOUBLE_EQ(*figures.accuracy(), 0.75);
  EXPECT_FALSE(figures.worst_accuracy());
  EXPECT_FALSE(figures.outcome());
}

TEST(EstimateOf, TakesTheRunsThatHaveTheFigure) {
  const std::vector<RunFigures> runs{figures_of({9, 0.5, 0.5}, 1.0), figures_of({9, 9, 9}, 1.0),
                                     figures_of({9, 9, 9, 0.5}, 1.0)};
  const auto rounds = estimate_of(runs, &RunFigures::rounds_to_target);
  ASSERT_TRUE(rounds);
  EXPECT_DOUBLE_EQ(rounds->mean, 2);
  EXPECT_EQ(rounds->n, 2U);
  EXPECT_DOUBLE_EQ(estimate_of(runs, &RunFigures::bytes_to_target)->mean, 2000);
  EXPECT_FALSE(estimate_of(runs, &RunFigures::accuracy));
}

TEST(ReadableBytes, HaveThreeDigitsAndAUnit) {
  EXPECT_EQ(readable_bytes(0), "0 B");
  EXPECT_EQ(readable_bytes(999), "999 B");
  EXPECT_EQ(readable_bytes(1000), "1 kB");
  EXPECT_EQ(readable_bytes(1536), "1.54 kB");
  EXPECT_EQ(readable_bytes(999'499), "999 kB");
  EXPECT_EQ(readable_bytes(999'600), "1 MB") << "not 1e+03 kB";
  EXPECT_EQ(readable_bytes(2.5e9), "2.5 GB");
  EXPECT_EQ(readable_bytes(1e18), "1e+03 PB");
}

// Two methods and three repetitions of each.
ExperimentPlan plan_of_two(std::optional<double> target) {
  ExperimentPlan plan;
  plan.varied_keys = {"algorithm.kind"};
  plan.repetitions = 3;
  plan.target = target;
  for (const char* kind : {"k-gt", "d-sgd"}) {
    for (int repetition = 1; repetition <= 3; ++repetition) {
      PlannedRun run;
      run.varied = {{"algorithm.kind", kind}};
      run.combination = std::string("kind=") + kind;
      run.repetition = repetition;
      plan.runs.push_back(run);
    }
  }
  return plan;
}

TEST(ClosingTable, AlignsItsColumnsAndTellsTheIntervals) {
  std::vector<RunFigures> figures;
  for (const double level : {0.01, 0.02, 0.03}) figures.push_back(figures_of({9, level}, 1.0));
  for (const double level : {2.0, 2.0, 2.0}) figures.push_back(figures_of({9, level}, 1.0));
  EXPECT_EQ(closing_table(plan_of_two(1.0), figures),
            "method  rounds to 1       bytes  final suboptimality\n"
            "k-gt          1 ± 0  1 kB ± 0 B   2.00e-02 ± 2.5e-02\n"
            "d-sgd   not reached               2.00e+00 ± 0.0e+00\n");
}

TEST(ClosingTable, CountsTheRepetitionsThatReachTheTarget) {
  std::vector<RunFigures> figures;
  for (const double level : {0.5, 5.0, 0.5}) figures.push_back(figures_of({9, level}, 1.0));
  for (int k = 0; k < 3; ++k) figures.push_back(figures_of({9, 5}, 1.0));
  EXPECT_NE(closing_table(plan_of_two(1.0), figures).find("1 ± 0 (in 2 of 3)"), std::string::npos);
}

TEST(ClosingTable, LeavesOutTheTargetWhenThereIsNone) {
  const std::vector<RunFigures> figures(6, figures_of({9, 1}, std::nullopt));
  EXPECT_EQ(closing_table(plan_of_two(std::nullopt), figures),
            "method  final suboptimality\n"
            "k-gt     1.00e+00 ± 0.0e+00\n"
            "d-sgd    1.00e+00 ± 0.0e+00\n");
}

TEST(ClosingTable, TellsRunsThatDidNotEndWell) {
  const std::optional<double> none;
  std::vector<RunFigures> figures(3, figures_of({9, 1}, none, Outcome::diverged));
  figures.push_back(figures_of({9, 1}, none));
  figures.push_back(figures_of({9, 1}, none, Outcome::diverged));
  figures.push_back(figures_of({9, 1}, none));
  EXPECT_EQ(closing_table(plan_of_two(none), figures),
            "method   final suboptimality\n"
            "k-gt                diverged\n"
            "d-sgd   diverged (in 1 of 3)\n");
  figures.assign(3, figures_of({9, 1}, none, Outcome::interrupted));
  figures.resize(6);
  EXPECT_EQ(closing_table(plan_of_two(none), figures),
            "method  final suboptimality\n"
            "k-gt            interrupted\n"
            "d-sgd               not run\n");
}

TEST(ClosingTable, OfASingleRunNamesItsMethod) {
  ExperimentPlan plan;
  plan.runs.resize(1);
  plan.runs[0].config.algorithm.kind = "led";
  EXPECT_EQ(closing_table(plan, {figures_of({9, 1}, std::nullopt)}),
            "method  final suboptimality\n"
            "led                1.00e+00\n");
}

}  // namespace
}  // namespace driftless
