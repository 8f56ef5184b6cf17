#include "driftless/report/summary_figure.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "driftless/base/error.hpp"
#include "driftless/base/named.hpp"
#include "driftless/report/run_number.hpp"
#include "tests/support/recorded_runs.hpp"

namespace driftless::testing {
namespace {

using Texts = std::vector<std::string>;
using nlohmann::ordered_json;

class SummaryFigure : public ::testing::Test {
 protected:
  std::string error_of(const FigureChoice& choice) const {
    return fault_in([&] { checked(choice, comparison_); });
  }

  const std::vector<RecordedRun> runs_ = {
      run_to_target("k-gt", "0.1", "1", 2),  run_to_target("k-gt", "0.1", "2", 4),
      run_to_target("k-gt", "0.5", "1", 1),  run_to_target("k-gt", "0.5", "2", 1, "diverged"),
      run_to_target("d-sgd", "0.1", "1", 3), run_to_target("d-sgd", "0.1", "2", 9),
      run_to_target("d-sgd", "0.5", "1", 2), run_to_target("d-sgd", "0.5", "2", 2),
  };
  const Comparison comparison_ = compare(runs_);
  const FigureChoice choice_ =
      checked({.y = "rounds_to_target", .x = "algorithm.local_rate"}, comparison_);
};

// Of 2 and 4 the mean is 3, the deviation √2, and half the interval t·√2/√2 with 12.706… for one
// degree of freedom.
TEST_F(SummaryFigure, HasAMeanOnlyWhereAllRunsHaveTheNumber) {
  const std::string csv = summary_csv(comparison_, choice_);
  const std::string begin =
      "algorithm.kind,algorithm.local_rate,n,reached,mean,half_width,min,max\n"
      "k-gt,0.1,2,2,3,12.7062047";
  EXPECT_EQ(csv.substr(0, begin.size()), begin);
  EXPECT_TRUE(
      csv.ends_with(",2,4\nk-gt,0.5,2,1,,,1,1\nd-sgd,0.1,2,1,,,3,3\nd-sgd,0.5,2,2,2,0,2,2\n"))
      << csv;
}

TEST_F(SummaryFigure, TellsRunsThatDivergedFromThoseThatDidNotGetThere) {
  const ordered_json data = summary_data(comparison_, choice_);
  EXPECT_EQ(data["axes"], ordered_json{"algorithm.kind"});
  EXPECT_EQ(data["missing"], "not reached");
  const ordered_json& groups = data["groups"];
  ASSERT_EQ(groups.size(), 4U);
  EXPECT_EQ(groups[0]["mean"], 3);
  EXPECT_EQ(groups[0]["numbers"], (ordered_json{2, 4}));
  EXPECT_TRUE(groups[1]["mean"].is_null());
  EXPECT_EQ(groups[1]["diverged"], 1);
  EXPECT_EQ(groups[1]["missing"], 0);
  EXPECT_TRUE(groups[2]["mean"].is_null());
  EXPECT_EQ(groups[2]["diverged"], 0);
  EXPECT_EQ(groups[2]["missing"], 1);
}

TEST_F(SummaryFigure, ShowsOnlyWhatIsAskedFor) {
  FigureChoice choice = choice_;
  choice.only = {{"method", "d-sgd"}, {"local_rate", "0.5"}};
  choice.y = "bytes_to_target";
  const std::string csv = summary_csv(comparison_, checked(choice, comparison_));
  EXPECT_TRUE(csv.ends_with("max\nd-sgd,0.5,2,2,16,0,16,16\n")) << csv;
}

TEST_F(SummaryFigure, TakesKeysByTheirLastNameAndTheLevelByItsOwn) {
  const FigureChoice choice =
      checked({.panels = "method", .y = "level", .x = "local_rate"}, comparison_);
  EXPECT_EQ(choice.x, "algorithm.local_rate");
  EXPECT_EQ(choice.panels, "algorithm.kind");
  EXPECT_EQ(choice.y, "loss");
  EXPECT_EQ(error_of({.y = "level", .x = "local_rat"}),
            "--x local_rat: these runs have algorithm.kind or algorithm.local_rate; did you mean "
            "local_rate?");
  std::vector<RecordedRun> other_problem = runs_;
  other_problem.front().settings["problem.kind"] = "softmax";
  const Comparison two_kinds = compare(other_problem);
  EXPECT_EQ(fault_in([&] { checked({.y = "level", .x = "kind"}, two_kinds); }),
            "--x kind: that may be algorithm.kind or problem.kind; give the whole name");
}

TEST_F(SummaryFigure, RefusesNumbersThatNoRunHas) {
  EXPECT_EQ(
      error_of({.y = "round_to_target", .x = "local_rate"}),
      "--y round_to_target: these runs have rounds_to_target, bytes_to_target, loss or level; "
      "did you mean rounds_to_target?");
  EXPECT_EQ(error_of({.y = "test_accuracy", .x = "local_rate"}),
            "--y test_accuracy: no number in any of these runs; they have rounds_to_target, "
            "bytes_to_target, loss or level");
  EXPECT_EQ(error_of({.panels = "local_rate", .y = "loss", .x = "local_rate"}),
            "--x algorithm.local_rate and --panels algorithm.local_rate: one key cannot be both");
}

// Two keys that were swept together: each alone is enough to tell the groups of a method apart.
TEST(AxesBeside, AreThoseThatAKeyDoesNotImply) {
  std::vector<RecordedRun> runs;
  for (const std::string kind : {"k-gt", "d-sgd"}) {
    for (const auto& [rate, steps] :
         std::map<std::string, std::string>{{"0.1", "10"}, {"0.5", "2"}}) {
      runs.push_back(run_to_target(kind, rate, "1", 1));
      runs.back().settings["algorithm.local_steps"] = steps;
    }
  }
  const Comparison comparison = compare(runs);
  EXPECT_EQ(comparison.axes, (Texts{"algorithm.kind", "algorithm.local_steps"}));
  EXPECT_EQ(comparison.axes_beside("algorithm.local_rate"), Texts{"algorithm.kind"});
  EXPECT_EQ(comparison.axes_beside("algorithm.local_steps"), Texts{"algorithm.kind"});
  EXPECT_EQ(comparison.axes_beside("algorithm.kind"), Texts{"algorithm.local_steps"});
}

TEST(RunNumbers, AreEachCalledByOneName) {
  for (const RunNumber& number : run_numbers())
    EXPECT_EQ(find_or_null(run_numbers(), number.name), &number);
}

}  // namespace
}  // namespace driftless::testing
