#include "driftless/report/comparison.hpp"

#include <gtest/gtest.h>

#include "driftless/base/error.hpp"
#include "driftless/report/figure.hpp"
#include "tests/support/recorded_runs.hpp"

namespace driftless::testing {
namespace {

using Texts = std::vector<std::string>;
using Settings = std::map<std::string, std::string>;

RecordedRun run_with(const Settings& settings, double loss = 1) {
  return recorded_run(settings, {{"round", {0, 1}}, {"loss", {2, loss}}, {"bytes_total", {0, 8}}});
}

TEST(Comparison, TakesRunsThatDifferInTheirSeedAloneForRepetitions) {
  const std::vector<RecordedRun> runs = {
      run_with({{"algorithm.kind", "k-gt"}, {"run.seed", "1"}}),
      run_with({{"algorithm.kind", "d-sgd"}, {"run.seed", "1"}}),
      run_with({{"algorithm.kind", "k-gt"}, {"run.seed", "2"}}),
  };
  const Comparison comparison = compare(runs);
  ASSERT_EQ(comparison.groups.size(), 2U);
  EXPECT_EQ(comparison.groups[0].runs, (std::vector{&runs[0], &runs[2]}));
  EXPECT_EQ(comparison.groups[0].values, Texts{"k-gt"});
  EXPECT_EQ(comparison.axes, Texts{"algorithm.kind"});
}

TEST(Comparison, TakesNoKeyForAnAxisThatFollowsFromTheOthers) {
  std::vector<RecordedRun> runs;
  for (const std::string zeta : {"0", "10"}) {
    runs.push_back(run_with(
        {{"algorithm.kind", "k-gt"}, {"problem.heterogeneity", zeta}, {"run.rounds", "60"}}));
    runs.push_back(run_with(
        {{"algorithm.kind", "d-sgd"}, {"problem.heterogeneity", zeta}, {"run.rounds", "120"}}));
  }
  const Comparison comparison = compare(runs);
  EXPECT_EQ(comparison.keys, (Texts{"algorithm.kind", "problem.heterogeneity", "run.rounds"}));
  EXPECT_EQ(comparison.axes, (Texts{"algorithm.kind", "problem.heterogeneity"}));
}

TEST(Comparison, DoesNotTakeAMissingKeyForADifference) {
  const Comparison comparison =
      compare({run_with({{"algorithm.kind", "k-gt"}}),
               run_with({{"algorithm.kind", "led"}, {"algorithm.lazy", "false"}})});
  EXPECT_EQ(comparison.keys, Texts{"algorithm.kind"});
}

TEST(Comparison, TakesTheWeathersSeedForOneOfARepetition) {
  const std::vector<RecordedRun> runs = {
      run_with({{"algorithm.kind", "k-gt"}, {"run.seed", "1"}, {"faults.seed", "1"}}),
      run_with({{"algorithm.kind", "k-gt"}, {"run.seed", "2"}, {"faults.seed", "2"}}),
      run_with({{"algorithm.kind", "k-gt"}, {"run.seed", "1"}, {"faults.seed", "3"}}),
  };
  const Comparison comparison = compare(runs);
  ASSERT_EQ(comparison.groups.size(), 1U);
  EXPECT_EQ(comparison.keys, Texts{"algorithm.kind"});
}

TEST(Comparison, TellsFairWeatherFromFaultsThoughItsConfigHasNoSuchSection) {
  const Comparison comparison =
      compare({run_with({{"algorithm.kind", "k-gt"}}),
               run_with({{"algorithm.kind", "k-gt"}, {"faults.drop", "0.2"}, {"faults.late", "0"}}),
               run_with({{"algorithm.kind", "k-gt"}, {"faults.trace", "outages.csv"}})});
  EXPECT_EQ(comparison.axes, (Texts{"algorithm.kind", "faults.drop", "faults.trace"}));
  EXPECT_EQ(comparison.groups[0].values, (Texts{"k-gt", "0", ""}));
  EXPECT_EQ(comparison.groups[1].values, (Texts{"k-gt", "0.2", ""}));
  EXPECT_EQ(comparison.groups[2].values, (Texts{"k-gt", "0", "outages.csv"}));
}

TEST(Comparison, TellsWholeLettersFromPackedOnesThoughTheirConfigHasNoSuchSection) {
  const Comparison comparison =
      compare({run_with({{"algorithm.kind", "k-gt"}}),
               run_with({{"algorithm.kind", "k-gt"}, {"compression.codec", "int4"}})});
  EXPECT_EQ(comparison.axes, (Texts{"algorithm.kind", "compression.codec"}));
  EXPECT_EQ(comparison.groups[0].values, (Texts{"k-gt", "none"}));
  EXPECT_EQ(comparison.groups[1].values, (Texts{"k-gt", "int4"}));
}

TEST(Comparison, TellsEqualRunsApartByTheirFolders) {
  std::vector<RecordedRun> runs(2, run_with({{"algorithm.kind", "k-gt"}, {"run.seed", "1"}}));
  runs[1].experiment = "runs/again";
  const Comparison comparison = compare(runs);
  ASSERT_EQ(comparison.groups.size(), 2U);
  EXPECT_EQ(comparison.axes, (Texts{"algorithm.kind", "folder"}));
  EXPECT_EQ(comparison.groups[1].values, (Texts{"k-gt", "runs/again"}));
}

TEST(Comparison, KnowsWhereTheTargetWasReached) {
  const Comparison comparison = compare(
      {run_with({{"algorithm.kind", "k-gt"}, {"run.rounds", "1"}, {"run.target", "1.5"}}, 1),
       run_with({{"algorithm.kind", "d-sgd"}, {"run.rounds", "1"}, {"run.target", "1.5"}}, 1.6)});
  EXPECT_EQ(comparison.groups[0].digests[0].rounds_to_target(), 1);
  EXPECT_EQ(comparison.groups[0].digests[0].bytes_to_target(), 8);
  EXPECT_EQ(comparison.groups[1].digests[0].rounds_to_target(), std::nullopt);
}

class FigureOfRuns : public ::testing::Test {
 protected:
  std::string error_of(const FigureChoice& choice) const {
    try {
      checked(choice, comparison_);
      return "";
    } catch (const ConfigError& error) {
      return error.what();
    }
  }

  const std::vector<RecordedRun> runs_ = {
      run_with({{"algorithm.kind", "k-gt"}, {"run.seed", "1"}}, 0.5),
      run_with({{"algorithm.kind", "k-gt"}, {"run.seed", "2"}}, 1.5),
      run_with({{"algorithm.kind", "d,sgd"}, {"run.seed", "1"}}, 1.25),
  };
  const Comparison comparison_ = compare(runs_);
};

TEST_F(FigureOfRuns, IsWrittenAsNumbersWithTheirInterval) {
  // Of 0.5 and 1.5: mean 1, deviation 1/√2, and t of one degree of freedom is 12.706….
  const std::string csv = figure_csv(comparison_, checked({.against = "bytes_total"}, comparison_));
  const std::string expected =
      "algorithm.kind,bytes_total,loss,interval_95,min,max,n\n"
      "k-gt,0,2,0,2,2,2\n"
      "k-gt,8,1,6.353102368";
  EXPECT_EQ(csv.substr(0, expected.size()), expected);
  EXPECT_TRUE(csv.ends_with(",0.5,1.5,2\n\"d,sgd\",0,2,,2,2,1\n\"d,sgd\",8,1.25,,1.25,1.25,1\n"))
      << csv;
}

TEST_F(FigureOfRuns, ShowsOnlyWhatIsAskedFor) {
  const FigureChoice choice = checked({.only = {{"algorithm.kind", "d,sgd"}}}, comparison_);
  EXPECT_EQ(figure_csv(comparison_, choice),
            "algorithm.kind,round,loss,interval_95,min,max,n\n\"d,sgd\",0,2,,2,2,1\n\"d,sgd\",1,1."
            "25,,1.25,1.25,1\n");
}

TEST_F(FigureOfRuns, TakesKeysAsTablesAndFoldersCallThem) {
  for (const char* name : {"kind", "method", "algorithm.kind"}) {
    const FigureChoice choice = checked({.panels = name, .only = {{name, "k-gt"}}}, comparison_);
    EXPECT_EQ(choice.panels, "algorithm.kind") << name;
    EXPECT_EQ(choice.only, (std::map<std::string, std::string>{{"algorithm.kind", "k-gt"}}))
        << name;
  }
}

TEST_F(FigureOfRuns, RefusesAShortNameOfSeveralKeys) {
  Comparison comparison = comparison_;
  comparison.keys.emplace_back("schedule.kind");
  for (RunGroup& group : comparison.groups) group.values.emplace_back("constant");
  EXPECT_EQ(fault_in([&] {
              checked({.only = {{"kind", "k-gt"}}}, comparison);
            }),
            "--only kind: that may be algorithm.kind or schedule.kind; give the whole name");
}

TEST_F(FigureOfRuns, RefusesWhatTheRunsDoNotHave) {
  EXPECT_EQ(error_of({}), "");
  EXPECT_EQ(error_of({.metric = "los"}), "--metric los: these runs have loss; did you mean loss?");
  EXPECT_EQ(error_of({.against = "seconds"}),
            "--against seconds: these runs have round or bytes_total");
  EXPECT_EQ(error_of({.panels = "network.nodes"}),
            "--panels network.nodes: these runs have algorithm.kind");
  EXPECT_EQ(error_of({.only = {{"algorithm.kind", "gt"}}}),
            "--only algorithm.kind gt: these runs have k-gt or d,sgd");
  EXPECT_THROW(parse_pairs("--only", "KEY=VALUE", Texts{"algorithm.kind"}), ConfigError);
}

TEST_F(FigureOfRuns, TakesLabelsOfValuesKeysAndColumns) {
  const FigureChoice choice =
      checked({.labels = {{"k-gt", "K-GT"}, {"method", "way"}, {"loss", "f"}}}, comparison_);
  EXPECT_EQ(choice.labels, (Pairs{{"k-gt", "K-GT"}, {"algorithm.kind", "way"}, {"loss", "f"}}));
  EXPECT_EQ(error_of({.labels = {{"k-tg", "K-GT"}}}),
            "--label k-tg: these runs have no such value, key or column; did you mean k-gt?");
}

TEST(Limits, AreTwoNumbersOrOne) {
  EXPECT_EQ(parse_limits("--ylim", ""), (Limits{}));
  EXPECT_EQ(parse_limits("--ylim", "0:1"), (Limits{0, 1}));
  EXPECT_EQ(parse_limits("--ylim", "1e-6:"), (Limits{1e-6, std::nullopt}));
  EXPECT_EQ(parse_limits("--ylim", ":-2"), (Limits{std::nullopt, -2}));
  for (const char* wrong : {":", "1", "1:1", "2:1", "a:1", "1:b", "0:1:2", "nan:", ":inf"})
    EXPECT_THROW(parse_limits("--ylim", wrong), ConfigError) << wrong;
}

}  // namespace
}  // namespace driftless::testing
