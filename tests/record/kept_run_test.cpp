// Runs in memory are those of folders: the same rows, models, settings and pages.
#include <gtest/gtest.h>

#include "driftless/base/folder.hpp"
#include "driftless/record/experiment_count.hpp"
#include "driftless/record/run_texts.hpp"
#include "driftless/report/report.hpp"
#include "tests/support/temporary_folder.hpp"

namespace driftless::testing {
namespace {

constexpr const char* sweep = R"(
[network]
nodes = 4
[problem]
dim = 3
[algorithm]
local_steps = 3
local_rate = 0.01
[run]
rounds = 20
[sweep]
"algorithm.kind" = ["d-sgd", "k-gt"]
)";

class Keeping final : public ExperimentCount {
 public:
  using ExperimentCount::ExperimentCount;
  void follow(const PlannedRun& run, RunObservers& observers) override {
    ExperimentCount::follow(run, observers);
    observers.push_back(keep_run(run, 1, kept[run.folder]));
  }
  std::map<std::filesystem::path, KeptRun> kept;
};

// Does the sweep, in the folder if there is one.
std::map<std::filesystem::path, KeptRun> kept_runs(const Folder* folder) {
  ExperimentPlan plan = plan_experiment(sweep, "test", "/");
  const Setup setup(plan);
  const Runtime runtime;
  Keeping listener(plan);
  EXPECT_EQ(listener.now().runs, 2U);
  EXPECT_EQ(listener.now().rounds, 40);
  ExperimentRun(plan, setup, runtime, {.folder = folder, .source = sweep}, listener).run();
  EXPECT_EQ(listener.now().done, 40);
  EXPECT_EQ(listener.now().ended, 2U);
  return std::move(listener.kept);
}

std::vector<double> models_of(const KeptRun& run) {
  return std::get<KeptModels<double>>(run.models).all;
}

TEST(KeptRun, IsTheRunOfAFolder) {
  const TemporaryFolder temporary;
  const Folder folder = Folder::make(temporary / "runs");
  const auto of_folder = kept_runs(&folder);
  const auto of_memory = kept_runs(nullptr);
  ASSERT_EQ(of_memory.size(), 2U);
  for (const auto& [name, kept] : of_memory) {
    const KeptRun read = read_kept_run(temporary / "runs" / name);
    EXPECT_EQ(kept.texts.config, read.texts.config);
    EXPECT_EQ(models_of(kept), models_of(read));
    EXPECT_EQ(models_of(kept), models_of(of_folder.at(name)));
    EXPECT_EQ(kept.dim, 3);
    EXPECT_EQ(read.dim, 3);
    const RecordedRun run = recorded(kept.texts);
    EXPECT_EQ(run.column("loss"), recorded(read.texts).column("loss"));
    EXPECT_EQ(run.column("loss").size(), 21U);
    EXPECT_EQ(run.setting("run.rounds"), "20");
    EXPECT_EQ(run.outcome(), "finished");
  }
}

TEST(KeptRun, LeavesNoFiles) {
  const TemporaryFolder temporary;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(temporary / "");
  EXPECT_EQ(kept_runs(nullptr).size(), 2U);
  EXPECT_TRUE(std::filesystem::is_empty(temporary / ""));
  std::filesystem::current_path(before);
}

TEST(KeptRun, HasAPage) {
  std::vector<RecordedRun> runs;
  for (const auto& [name, kept] : kept_runs(nullptr)) runs.push_back(recorded(kept.texts));
  const Report report(runs, {});
  const std::string page = report.as("html");
  EXPECT_NE(page.find("K-GT"), std::string::npos);
  EXPECT_NE(page.find("kind = \\\"k-gt\\\""), std::string::npos) << "its config";
  EXPECT_NE(report.as("csv").find("k-gt"), std::string::npos);
  EXPECT_THROW(report.as("gif"), ConfigError);
  EXPECT_THROW(Report(runs, {.metric = "beauty"}), ConfigError);
}

// A run that has not ended says so, and has no models.
TEST(KeptRun, MayHaveNoSummary) {
  auto kept = kept_runs(nullptr);
  RunTexts texts = kept.begin()->second.texts;
  texts.summary.clear();
  EXPECT_EQ(recorded(texts).outcome(), "unfinished");
}

}  // namespace
}  // namespace driftless::testing
