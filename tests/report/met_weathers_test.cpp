#include "driftless/report/met_weathers.hpp"

#include <gtest/gtest.h>

#include "tests/support/contains.hpp"
#include "tests/support/recorded_runs.hpp"
#include "tests/support/temporary_folder.hpp"

namespace driftless::testing {
namespace {

using nlohmann::ordered_json;
using Settings = std::map<std::string, std::string>;

class MetWeathers : public ::testing::Test {
 protected:
  // A run of eight rounds on a ring of four nodes.
  void add(const std::string& kind, const Settings& more, double rounds = 8) {
    Settings settings = {{"algorithm.kind", kind},
                         {"network.nodes", "4"},
                         {"network.topology", "ring"},
                         {"network.weights", "metropolis"}};
    settings.insert(more.begin(), more.end());
    runs_.push_back(recorded_run(settings, {{"round", {0, rounds}}, {"loss", {2, 1}}}));
  }
  ordered_json told() const { return weathers_json(compare(runs_)); }
  // Why there is no ribbon; empty where there is one.
  std::string fault() const {
    const ordered_json weathers = told();
    EXPECT_NE(weathers[0].contains("ribbon"), weathers[0].contains("fault"));
    return weathers[0].value("fault", "");
  }

  const TemporaryFolder folder_;
  const std::filesystem::path trace_ = folder_.write("outages.csv",
                                                     "round,event,node,peer,value\n"
                                                     "2,pause,1,,\n"
                                                     "5,resume,1,,\n");
  std::vector<RecordedRun> runs_;
};

TEST_F(MetWeathers, AreToldOnceForAllMethodsAndNotWhereNothingIsDown) {
  add("k-gt", {});
  add("k-gt", {{"faults.trace", trace_.string()}}, 6);
  add("d-sgd", {{"faults.trace", trace_.string()}});
  add("k-gt", {{"faults.late", "0.5"}, {"faults.slow", "0.5"}, {"faults.drop", "0"}});
  const ordered_json weathers = told();
  ASSERT_EQ(weathers.size(), 1U);
  EXPECT_EQ(weathers[0]["groups"], (ordered_json{1, 2}));
  EXPECT_EQ(weathers[0]["values"].dump(), "[[\"faults.trace\",\"" + trace_.string() + "\"]]");
  EXPECT_EQ(weathers[0]["rounds"], 8);
  const ordered_json& ribbon = weathers[0]["ribbon"];
  EXPECT_EQ(ribbon["nodes"], 4);
  EXPECT_EQ(ribbon["nodes_out"], 1);
  EXPECT_EQ(ribbon["links_down"], (ordered_json{0.0, 0.0, 0.5, 0.5, 0.5, 0.0, 0.0, 0.0}));
  EXPECT_EQ(ribbon["lines"][1], (ordered_json{{"node", 1},
                                              {"paused", "00999000"},
                                              {"lost", "00000000"},
                                              {"joins", ordered_json::array()}}));
}

TEST_F(MetWeathers, ShowTheFirstOfTheSeedsThatRepetitionsHave) {
  for (const char* seed : {"5", "6", "7"})
    add("k-gt", {{"faults.pause", "0.3"}, {"faults.seed", seed}, {"run.seed", seed}});
  for (const char* seed : {"5", "6"})
    add("k-gt", {{"faults.trace", trace_.string()}, {"faults.seed", seed}, {"run.seed", seed}});
  const ordered_json weathers = told();
  ASSERT_EQ(weathers.size(), 2U);
  EXPECT_EQ(weathers[0]["seed"], "5");
  EXPECT_EQ(weathers[0]["seeds"], 3);
  EXPECT_EQ(weathers[1]["seeds"], 1) << "a trace is the same for all";
}

TEST_F(MetWeathers, TakeTheNumberOfNodesFromTheRowsWhereAFileSaysIt) {
  add("k-gt", {{"faults.trace", trace_.string()}});
  runs_[0].settings.erase("network.nodes");
  EXPECT_TRUE(contains(fault(), "how many nodes"));
  runs_[0].metrics.rows[0].members = 4;
  EXPECT_EQ(told()[0]["ribbon"]["nodes"], 4);
}

TEST_F(MetWeathers, SayWhatFileIsNotThereAnyMoreOrHasChanged) {
  add("k-gt", {{"faults.trace", trace_.string()}});
  const FileSum sum = sum_of_file(trace_);
  runs_[0].summary["inputs"] = to_json_object({{"faults.trace outages.csv", sum}});
  EXPECT_EQ(fault(), "");
  folder_.write("outages.csv", "round,event,node,peer,value\n2,pause,2,,\n");
  EXPECT_EQ(fault(), trace_.string() + ": has changed since the run");
  std::filesystem::remove(trace_);
  EXPECT_TRUE(contains(fault(), trace_.string()));
}

TEST_F(MetWeathers, AreNotLookedThroughOnNetworksOfMillionsOfLinks) {
  add("k-gt", {{"faults.drop", "0.1"}});
  runs_[0].settings["network.nodes"] = "10000";
  EXPECT_EQ(fault(), "");
  runs_[0].settings["network.topology"] = "complete";
  EXPECT_TRUE(contains(fault(), "too large"));
}

TEST_F(MetWeathers, OfAnotherVersionsKeysAreNotGuessed) {
  add("k-gt", {{"faults.drop", "0.1"}, {"faults.flood", "0.5"}});
  EXPECT_TRUE(contains(fault(), "faults.flood"));
  runs_[0].settings["faults.drop"] = "2";
  runs_[0].settings.erase("faults.flood");
  EXPECT_TRUE(contains(fault(), "expected"));
}

}  // namespace
}  // namespace driftless::testing
