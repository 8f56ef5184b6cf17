#include "driftless/report/page.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

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
  EXPECT_EQ(group["rounds_to_target"]["mean"], 4);
  EXPECT_EQ(group["rounds_to_target"]["n"], 2);  // the third is not there
  EXPECT_EQ(group["bytes_to_target"]["mean"], 80);
  EXPECT_EQ(group["curve"]["mean"]["loss"], (ordered_json{9, 2}));
}

// 500 runs of 1000 rows, of which nothing can be left out without being seen.
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
    runs.push_back(run_with(
        {{"algorithm.kind", "k-gt"}, {"algorithm.local_rate", std::to_string(k)}}, columns));
  }
  const Comparison comparison = compare(runs);
  const ordered_json data = report_data(runs, comparison, checked({}, comparison));
  EXPECT_LT(report_page(data).size(), 20'000'000U);
  EXPECT_EQ(data["groups"].size(), 500U);
  EXPECT_EQ(data["thinned"]["rows"], 500'000);
  EXPECT_LE(data["thinned"]["drawn"], 100'000);
}

}  // namespace
}  // namespace driftless::testing
