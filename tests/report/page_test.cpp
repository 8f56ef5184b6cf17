#include "driftless/report/page.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "driftless/algorithm/registry.hpp"
#include "driftless/report/report_data.hpp"
#include "tests/support/recorded_runs.hpp"
#include "tests/support/temporary_folder.hpp"

namespace driftless::testing {
namespace {

using nlohmann::ordered_json;

TEST(JsonForScript, CannotEndItsScript) {
  const ordered_json hostile = {{"</script><script>alert(1)", "<!-- \" ' \\ ünï \u2028"}};
  const std::string text = json_for_script(hostile);
  EXPECT_EQ(text.find('<'), std::string::npos);
  EXPECT_EQ(ordered_json::parse(text), hostile);
}

TEST(JsonForScript, ReplacesWhatIsNotUtf8) {
  EXPECT_EQ(json_for_script({{"name", "a\xff"}}), "{\"name\":\"a\uFFFD\"}");
}

// A config for the page to show; the runs themselves are made up.
class Page : public ::testing::Test {
 protected:
  RecordedRun run_with(const std::map<std::string, std::string>& settings,
                       const std::map<std::string, std::vector<double>>& columns) const {
    RecordedRun run = recorded_run(settings, columns);
    run.folder = run.experiment = folder_.path();
    return run;
  }

  const TemporaryFolder folder_;
  const std::filesystem::path config_ = folder_.write("config.toml", "# as it was\n");
};

TEST_F(Page, HoldsItsDataAndAllThatDrawsThem) {
  const std::vector<RecordedRun> runs = {
      run_with({{"algorithm.kind", "k-gt"}}, {{"round", {0, 1}}, {"loss", {2, 1}}})};
  const Comparison comparison = compare(runs);
  const ordered_json data = report_data(runs, comparison, checked({}, comparison));
  const std::string page = report_page(data);
  EXPECT_NE(page.find(json_for_script(data)), std::string::npos);
  EXPECT_EQ(page.find("{{choice}}"), std::string::npos);
  EXPECT_EQ(page.find("{{page}}"), std::string::npos);
  EXPECT_NE(page.find("University of Washington Interactive Data Lab"), std::string::npos);
  for (const char* part :
       {"function firstChoice(", "function figureSpec(", "function networkSpec(",
        "function showSummary(", "function showTuning(", "function showWords("}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
  EXPECT_TRUE(page.ends_with("</html>\n"));
}

TEST_F(Page, TellsMeanIntervalAndCount) {
  std::vector<RecordedRun> runs;
  for (const auto& [seed, loss] :
       std::map<std::string, double>{{"1", 1.0}, {"2", 2.0}, {"3", 3.0}}) {
    runs.push_back(run_with({{"algorithm.kind", "k-gt"},
                             {"run.seed", seed},
                             {"run.target", "2.5"},
                             {"run.rounds", "4"}},
                            {{"round", {0, 4}}, {"loss", {9, loss}}, {"bytes_total", {0, 80}}}));
  }
  const Comparison comparison = compare(runs);
  const ordered_json data = report_data(runs, comparison, checked({}, comparison));
  const ordered_json& group = data["groups"][0];
  EXPECT_EQ(group["level"]["mean"], 2);
  EXPECT_EQ(group["level"]["n"], 3);
  EXPECT_NEAR(group["level"]["half_width"].get<double>(), 4.302652729911275 / std::sqrt(3.0), 1e-9);
  // The third is not there: a mean over the other two would flatter.
  EXPECT_EQ(group["rounds_to_target"]["mean"], nullptr);
  EXPECT_EQ(group["rounds_to_target"]["n"], 2);
  EXPECT_EQ(group["bytes_to_target"]["max"], 80);
  EXPECT_EQ(group["texts"]["rounds_to_target"], "reached by 2 of 3: 1–4, 1–4");
  EXPECT_EQ(group["curve"]["mean"]["loss"], (ordered_json{9, 2}));
}

TEST_F(Page, HoldsEachOfFewRunsToItsOwnEnd) {
  const auto run_of = [&](const char* seed, const std::vector<double>& losses) {
    std::vector<double> rounds(losses.size());
    std::iota(rounds.begin(), rounds.end(), 0.0);
    return run_with({{"algorithm.kind", "k-gt"}, {"run.seed", seed}},
                    {{"round", rounds}, {"loss", losses}});
  };
  std::vector<RecordedRun> runs{run_of("1", {9, 1}), run_of("2", {9, 3, 5})};
  const auto group_of = [&] {
    const Comparison comparison = compare(runs);
    return report_data(runs, comparison, checked({}, comparison))["groups"][0];
  };
  const ordered_json few = group_of();
  EXPECT_EQ(few["curve"]["mean"]["loss"], (ordered_json{9, 2}));
  EXPECT_EQ(few["curve"]["least"]["loss"], (ordered_json{9, 1}));
  EXPECT_EQ(few["curve"]["greatest"]["loss"], (ordered_json{9, 3}));
  EXPECT_FALSE(few["curve"].contains("half_width"));
  ASSERT_EQ(few["single"].size(), 2U);
  EXPECT_EQ(few["single"][1]["seed"], "2");
  EXPECT_EQ(few["single"][1]["outcome"], "unfinished");
  EXPECT_EQ(few["single"][1]["curve"]["mean"]["loss"], (ordered_json{9, 3, 5}));

  for (const char* seed : {"3", "4", "5"}) runs.push_back(run_of(seed, {9, 2}));
  const ordered_json enough = group_of();
  EXPECT_FALSE(enough.contains("single"));
  EXPECT_TRUE(enough["curve"].contains("half_width"));

  runs.resize(1);
  const ordered_json one = group_of();
  EXPECT_FALSE(one.contains("single"));
  EXPECT_FALSE(one["curve"].contains("least"));
}

TEST_F(Page, HoldsWhereVeryManyRunsAreInsteadOfEach) {
  std::vector<RecordedRun> runs;
  for (int k = 0; k < 200; ++k) {
    for (const double loss : {1.0, 2.0}) {
      runs.push_back(run_with({{"algorithm.kind", "k-gt"},
                               {"algorithm.local_rate", std::to_string(k)},
                               {"run.seed", std::to_string(loss)}},
                              {{"round", {0, 1}}, {"loss", {4, loss}}}));
    }
  }
  const Comparison comparison = compare(runs);
  const ordered_json data = report_data(runs, comparison, checked({}, comparison));
  for (const ordered_json& group : data["groups"]) {
    EXPECT_FALSE(group.contains("single"));
    EXPECT_EQ(group["curve"]["least"]["loss"], (ordered_json{4, 1}));
    EXPECT_EQ(group["curve"]["greatest"]["loss"], (ordered_json{4, 2}));
  }
}

TEST_F(Page, KnowsMethodsByTheirTitlesAndWhatMetricsCanBe) {
  const std::vector<RecordedRun> runs = {
      run_with({{"algorithm.kind", "d2"}}, {{"round", {0, 1}}, {"loss", {2, 1}}})};
  const Comparison comparison = compare(runs);
  const ordered_json data = report_data(runs, comparison, checked({}, comparison));
  const ordered_json& titles = data["titles"]["algorithm.kind"];
  EXPECT_EQ(titles.size(), algorithm_kinds().size());
  EXPECT_EQ(titles.begin().key(), "k-gt");  // in the order of the registry, which gives the colours
  EXPECT_EQ(titles["d2"], "D²");
  for (const ordered_json& column : data["columns"]) {
    const auto name = column["name"].get<std::string>();
    const bool r2 = name == "test_r2";  // which an error without bound makes negative
    EXPECT_EQ(column["least"] == 0, !r2) << name;
    const bool share = name.find("accuracy") != std::string::npos || name == "links_up";
    EXPECT_EQ(column["most"] == 1, r2 || share) << name;
  }
}

TEST_F(Page, HoldsEachSplitOfTheDataOnce) {
  std::vector<RecordedRun> runs;
  for (const char* seed : {"1", "2", "3", "4", "5", "6", "7"}) {
    runs.push_back(
        run_with({{"algorithm.kind", "k-gt"}, {"run.seed", seed}, {"problem.split", "dirichlet"}},
                 {{"round", {0, 1}}, {"loss", {2, 1}}}));
    const bool known = *seed != '7';  // a version that told no split
    if (known) {
      const std::string counts = *seed == '2' ? "1 4" : std::string(seed) + " 4";
      runs.back().summary = {{"split", {{"classes", {"a", "b"}}, {"samples", {counts}}}}};
    }
  }
  const Comparison comparison = compare(runs);
  const ordered_json splits = report_data(runs, comparison, checked({}, comparison))["splits"];
  EXPECT_EQ(splits["count"], 5);  // those of the seeds 1 and 2 are the same
  ASSERT_EQ(splits["drawn"].size(), 4U);
  EXPECT_EQ(splits["drawn"][1]["seed"], "3");
  EXPECT_EQ(splits["drawn"][1]["split"], "dirichlet");
  EXPECT_EQ(splits["drawn"][1]["samples"], ordered_json::array({"3 4"}));
}

TEST_F(Page, CallsFilesByTheirLastPartsWhereNoTwoOfThemAreAlike) {
  const auto titles = [&](const std::string& one, const std::string& other) {
    const std::vector<RecordedRun> runs = {
        run_with({{"algorithm.kind", "k-gt"}, {"faults.trace", one}},
                 {{"round", {0}}, {"loss", {1}}}),
        run_with({{"algorithm.kind", "k-gt"}, {"faults.trace", other}},
                 {{"round", {0}}, {"loss", {1}}}),
    };
    const Comparison comparison = compare(runs);
    return report_data(runs, comparison, checked({}, comparison))["titles"];
  };
  EXPECT_EQ(titles("/a/calm.csv", "/a/storm.csv")["faults.trace"],
            (ordered_json{{"/a/calm.csv", "calm.csv"}, {"/a/storm.csv", "storm.csv"}}));
  EXPECT_FALSE(titles("/a/storm.csv", "/b/storm.csv").contains("faults.trace"));
}

// 500 runs of 1000 rows, two of each kind, of which nothing can be left out without being seen.
TEST_F(Page, StaysUnder20MegabytesForALargeSweep) {
  constexpr std::size_t rows = 1000;
  std::mt19937 noise;
  std::vector<RecordedRun> runs;
  for (int k = 0; k < 500; ++k) {
    std::map<std::string, std::vector<double>> columns;
    for (const MetricColumn& column : metric_columns()) {
      std::vector<double>& values = columns[std::string(column.name)];
      for (std::size_t row = 0; row < rows; ++row) {
        values.push_back(column.is_cost ? 12345.678 * static_cast<double>(row)
                                        : 1e-17 * static_cast<double>(noise()));
      }
    }
    runs.push_back(run_with({{"algorithm.kind", "k-gt"},
                             {"algorithm.local_rate", std::to_string(k / 2)},
                             {"run.seed", std::to_string(k % 2)}},
                            columns));
  }
  const Comparison comparison = compare(runs);
  const ordered_json data = report_data(runs, comparison, checked({}, comparison));
  EXPECT_LT(report_page(data).size(), 20'000'000U);
  EXPECT_EQ(data["groups"].size(), 250U);
  EXPECT_EQ(data["thinned"]["rows"], 250'000);
  EXPECT_LE(data["thinned"]["drawn"], 100'000);
}

}  // namespace
}  // namespace driftless::testing
