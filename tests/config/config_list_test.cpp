// Keys whose values are lists: problem.hidden.
#include <gtest/gtest.h>

#include "driftless/config/key.hpp"
#include "tests/config/config_text.hpp"
#include "tests/support/contains.hpp"

namespace driftless {
namespace {

using testing::contains;
using namespace testing_config;

using Integers = std::vector<std::int64_t>;

const std::string mlp_of = "[problem]\nkind = 'mlp'\n";

Value hidden_in(const ExperimentConfig& config) { return config.problem.options.at("hidden"); }

Value hidden_of(const std::string& literal) {
  const ExperimentPlan plan = plan_of(mlp_of + "hidden = " + literal + needed);
  return hidden_in(plan.runs().front()->config);
}

TEST(Lists, AreGivenInBracketsOrAsOneElement) {
  EXPECT_EQ(hidden_of("[300, 100]"), Value(Integers{300, 100}));
  EXPECT_EQ(hidden_of("[\n300,\n100,\n]"), Value(Integers{300, 100}));
  EXPECT_EQ(hidden_of("200"), Value(200));
  EXPECT_EQ(hidden_of("[200]"), Value(200));
  EXPECT_EQ(hidden_of("[]"), Value(Integers{})) << "a network without hidden layers";
  EXPECT_EQ(hidden_in(plan_of(mlp_of + needed).runs().front()->config), Value(200));
}

TEST(Lists, AreReadAsVersion01WroteThem) {
  EXPECT_EQ(hidden_of("'300 100'"), Value(Integers{300, 100}));
  EXPECT_EQ(hidden_of("'200'"), Value(200));
  EXPECT_EQ(hidden_of("''"), Value(Integers{}));
}

TEST(Lists, AreOverriddenOnTheCommandLine) {
  const auto hidden = [](const std::string& override) {
    return hidden_in(plan_of(mlp_of + needed, {override}).runs().front()->config);
  };
  EXPECT_EQ(hidden("problem.hidden=[300,100]"), Value(Integers{300, 100}));
  EXPECT_EQ(hidden("problem.hidden=300"), Value(300));
  EXPECT_EQ(hidden("problem.hidden=300 100"), Value(Integers{300, 100}));
}

TEST(Lists, AreWrittenOneWay) {
  const auto written = [](const std::string& literal) {
    return to_toml(plan_of(mlp_of + "hidden = " + literal + needed).runs().front()->config);
  };
  EXPECT_TRUE(contains(written("'300 100'"), "\nhidden = [300, 100] "));
  EXPECT_TRUE(contains(written("[200]"), "\nhidden = 200 "));
  EXPECT_TRUE(contains(written("''"), "\nhidden = [] "));
}

TEST(Lists, AreSweptAsValuesOfAList) {
  const ExperimentPlan plan =
      plan_of(mlp_of + "[sweep]\n'problem.hidden' = [[300, 100], [200], 50, '50', '8 4']" + needed);
  std::vector<Value> values;
  Texts folders;
  for (const PlannedRun* run : plan.runs()) {
    values.push_back(hidden_in(run->config));
    folders.push_back(run->folder.string());
  }
  EXPECT_EQ(values, (std::vector<Value>{Integers{300, 100}, 200, 50, Integers{8, 4}}))
      << "the same value twice is one run";
  EXPECT_EQ(folders, (Texts{"hidden=300_100", "hidden=200", "hidden=50", "hidden=8_4"}));
  const ExperimentPlan scalars = plan_of(mlp_of + "[sweep]\nproblem.hidden = [300, 100]" + needed);
  EXPECT_EQ(scalars.runs().size(), 2U);
}

}  // namespace
}  // namespace driftless
