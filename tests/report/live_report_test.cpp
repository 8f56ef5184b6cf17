#include "driftless/report/live_report.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include "tests/support/contains.hpp"
#include "tests/support/temporary_folder.hpp"

namespace driftless::testing {
namespace {

class Live : public ::testing::Test {
 protected:
  void begin(const std::string& run) const {
    folder_.write(run + "/config.toml", "[algorithm]\nkind = \"gt\"\n[run]\nrounds = 9\n");
    folder_.write(run + "/metrics.csv", "round,loss\n0,5\n");
  }
  void append(const std::string& run, const std::string& text) const {
    std::ofstream(folder_ / (run + "/metrics.csv"), std::ios::app) << text;
  }
  LiveReport report_of(const std::string& name, FigureChoice choice = {}) {
    return {
        {folder_ / name}, std::move(choice), [this](const auto& fault) { told_.push_back(fault); }};
  }
  // The report looks at the folders now and then, however often it is asked.
  static std::shared_ptr<const LiveData> after(const std::string& version, LiveReport& report) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    auto newest = report.newest();
    while (newest->version == version && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      newest = report.newest();
    }
    return newest;
  }

  const TemporaryFolder folder_;
  std::vector<std::string> told_;
};

TEST_F(Live, HasAnotherVersionOnceRowsArrive) {
  begin("run");
  LiveReport report = report_of("run");
  const auto first = report.newest();
  EXPECT_EQ(first->data["runs"][0]["round"], 0);
  EXPECT_EQ(first->data["runs"][0]["rounds"], 9);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_EQ(report.newest(), first);
  append("run", "1,4\n");
  const auto second = after(first->version, report);
  EXPECT_NE(second->version, first->version);
  EXPECT_EQ(second->data["live"]["version"], second->version);
  EXPECT_EQ(second->data["runs"][0]["round"], 1);
  EXPECT_NE(report_of("run").newest()->version, first->version) << "another process is another";
}

TEST_F(Live, HasOnlyItsStateWhereThereIsNothingToDraw) {
  LiveReport report = report_of("run");
  const auto nothing = report.newest();
  EXPECT_FALSE(nothing->data.contains("groups"));
  ASSERT_EQ(nothing->data["live"]["awaited"].size(), 1U);
  EXPECT_EQ(nothing->data["live"]["awaited"][0], (folder_ / "run").string());
  folder_.write("run/config.toml", "[algorithm]\nkind = \"gt\"\n");
  folder_.write("run/metrics.csv", "round,loss\n");
  const auto begun = after(nothing->version, report);
  EXPECT_FALSE(begun->data.contains("groups"));
  EXPECT_EQ(begun->data["live"]["begun"], 1);
  append("run", "0,5\n");
  EXPECT_TRUE(after(begun->version, report)->data.contains("groups"));
  EXPECT_TRUE(told_.empty());
}

TEST_F(Live, TellsAFaultOnceAndShowsIt) {
  begin("sweep/good");
  begin("sweep/bad");
  append("sweep/bad", "1,words\n");
  LiveReport report = report_of("sweep");
  const auto first = report.newest();
  ASSERT_EQ(first->data["live"]["faults"].size(), 1U);
  EXPECT_EQ(first->data["runs"].size(), 1U);
  append("sweep/good", "1,4\n");
  EXPECT_EQ(after(first->version, report)->data["live"]["faults"], first->data["live"]["faults"]);
  ASSERT_EQ(told_.size(), 1U);
  EXPECT_TRUE(contains(told_[0], "found \"words\""));
}

// Runs that will have what is asked for may yet begin.
TEST_F(Live, GoesOnWhereTheRunsDoNotHaveWhatIsAskedFor) {
  begin("run");
  const auto newest = report_of("run", {.metric = "test_accuracy"}).newest();
  EXPECT_FALSE(newest->data.contains("groups"));
  ASSERT_EQ(told_.size(), 1U);
  EXPECT_TRUE(contains(told_[0], "--metric test_accuracy: these runs have"));
}

TEST_F(Live, CountsTheRunsThatASweepIsGoingToHave) {
  folder_.write("sweep/experiment.toml", "");
  folder_.write("sweep/manifest.json",
                R"({"runs": ["tune/p/rep-1", "kind=gt/tune/p/rep-1", "rep-1", "rep-2", "rep-3"]})");
  begin("sweep/rep-1");
  const auto newest = report_of("sweep").newest();
  EXPECT_EQ(newest->data["live"]["begun"], 1);
  EXPECT_EQ(newest->data["live"]["planned"], 3);
}

}  // namespace
}  // namespace driftless::testing
