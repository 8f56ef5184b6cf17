// Tuned sweeps: the grid's runs, the choice, fresh seeds for the figures.
#include <gtest/gtest.h>

#include <csignal>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/program/program.hpp"
#include "tests/support/learning_data.hpp"

namespace driftless::testing {
namespace {

using Texts = std::vector<std::string>;
using nlohmann::json;

// The rate 1e60 must blow up, and 1e-9 moves nothing.
const std::string tuned_sweep = R"([problem]
dim = 3
noise = 0.01
[network]
nodes = 5
[algorithm]
local_steps = 2
[run]
rounds = 30
repetitions = 2
target = 1e-3
[sweep]
"algorithm.kind" = ["k-gt", "d-sgd"]
[tune]
"algorithm.local_rate" = [1e60, 0.05, 1e-9]
metric = "suboptimality"
rounds = 20
repetitions = 2
)";

class Tune : public ::testing::Test {
 protected:
  void SetUp() override { folder_.write("tune.toml", tuned_sweep); }

  Finished start(const std::string& out, const Texts& more = {}, int ranks = 0) const {
    Texts arguments = {"run", "tune.toml", "--out", out};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments, folder_.path(), ranks);
  }
  json summary_of(const std::string& out) const {
    return json::parse(contents_of(folder_ / out / "summary.json"));
  }

  const TemporaryFolder folder_;
};

TEST_F(Tune, ChoosesForEachMethodAndRunsItWithWhatWasChosen) {
  const Finished run = start("out");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.err, "") << "a rate that diverges is no failure of the experiment";
  for (const std::string kind : {"k-gt", "d-sgd"}) {
    for (const std::string rep : {"rep-1", "rep-2"}) {
      const auto folder = folder_ / "out" / ("kind=" + kind) / rep;
      const std::string text = contents_of(folder / "config.toml");
      EXPECT_NE(text.find("local_rate = 0.05 "), std::string::npos) << text;
      EXPECT_NE(text.find("rounds = 30 "), std::string::npos) << text;
    }
  }
  EXPECT_NE(run.out.find("local_rate"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("tuned: the best suboptimality (last) of 3 points, 2 tuning runs each"),
            std::string::npos)
      << run.out;
  EXPECT_EQ(run.out.find("edge"), std::string::npos) << run.out;
}

TEST_F(Tune, RecordsEveryPointAlsoTheDivergedOnes) {
  ASSERT_EQ(start("out").exit_code, 0);
  const Table points = read_csv(folder_ / "out/tune.csv");
  EXPECT_EQ(points.header, (Texts{"algorithm.kind", "algorithm.local_rate", "score", "interval_95",
                                  "n", "outcome", "chosen"}));
  ASSERT_EQ(points.rows.size(), 6U);
  for (const std::size_t first : {0, 3}) {
    EXPECT_EQ(points.text(first, "outcome"), "diverged");
    EXPECT_EQ(points.text(first, "score"), "");
    EXPECT_EQ(points.text(first + 1, "chosen"), "yes");
    EXPECT_EQ(points.text(first + 2, "chosen"), "no");
    EXPECT_LT(points.number(first + 1, "score"), points.number(first + 2, "score"));
  }
  const json tuned = summary_of("out")["tuned"];
  EXPECT_EQ(tuned["metric"], "suboptimality");
  const json& second = tuned["combinations"][1];
  EXPECT_EQ(second["chosen"], json({{"algorithm.local_rate", "0.05"}}));
  EXPECT_EQ(second["points"][0]["outcome"], "diverged");
  EXPECT_EQ(second["points"][0]["score"], nullptr);
  EXPECT_EQ(second["points"][1]["folder"], "kind=d-sgd/tune/local_rate=0.05");
}

// The mean of the last rows that the tuning runs left on disk.
TEST_F(Tune, ScoresWhatTheTuningRunsWrote) {
  ASSERT_EQ(start("out").exit_code, 0);
  double sum = 0;
  for (const std::string rep : {"rep-1", "rep-2"}) {
    const auto run = folder_ / "out/kind=k-gt/tune/local_rate=0.05" / rep;
    const Table metrics = read_csv(run / "metrics.csv");
    ASSERT_EQ(metrics.number(metrics.rows.size() - 1, "round"), 20);
    sum += metrics.number(metrics.rows.size() - 1, "suboptimality");
    EXPECT_TRUE(std::filesystem::exists(run / "summary.json"));
  }
  EXPECT_DOUBLE_EQ(read_csv(folder_ / "out/tune.csv").number(1, "score"), sum / 2);
}

TEST_F(Tune, JudgesOnFreshSeeds) {
  ASSERT_EQ(start("out").exit_code, 0);
  std::set<int> tuning;
  std::set<int> judged;
  for (const std::string& file : listing(folder_ / "out")) {
    if (!file.ends_with("/summary.json")) continue;
    const int seed = json::parse(contents_of(folder_ / "out" / file))["seed"];
    (file.find("/tune/") != std::string::npos ? tuning : judged).insert(seed);
  }
  EXPECT_EQ(tuning.size(), 2U);
  EXPECT_EQ(judged, (std::set<int>{1, 2}));
  for (const int seed : tuning) EXPECT_FALSE(judged.contains(seed)) << seed;
}

TEST_F(Tune, GivesTheSameForAnyNumberOfThreadsAndRanks) {
  ASSERT_EQ(start("one", {"--threads", "1"}).exit_code, 0);
  ASSERT_EQ(start("two", {"--threads", "2"}).exit_code, 0);
  const Finished over = start("ranks", {"--threads", "1"}, 3);
  ASSERT_EQ(over.exit_code, 0) << over.err;
  for (const std::string other : {"two", "ranks"}) {
    ASSERT_EQ(listing(folder_ / other), listing(folder_ / "one"));
    EXPECT_EQ(contents_of(folder_ / other / "tune.csv"), contents_of(folder_ / "one/tune.csv"));
    EXPECT_EQ(contents_of(folder_ / other / "kind=d-sgd/rep-2/nodes.npy"),
              contents_of(folder_ / "one/kind=d-sgd/rep-2/nodes.npy"));
  }
}

TEST_F(Tune, SaysWhenTheBestIsAtTheEdgeOfTheGrid) {
  folder_.write("tune.toml", std::string(tuned_sweep).replace(tuned_sweep.find("1e60"), 4, "1e-8"));
  const Finished run = start("out");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("0.05 (edge)"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("a wider grid may do better"), std::string::npos) << run.out;
  EXPECT_EQ(summary_of("out")["tuned"]["combinations"][0]["at_edge"],
            json({"algorithm.local_rate"}));
}

TEST_F(Tune, DoesNotRunWhatDivergedEverywhere) {
  folder_.write(
      "tune.toml",
      std::string(tuned_sweep).replace(tuned_sweep.find("1e60, 0.05, 1e-9"), 16, "1e60, 1e80"));
  const Finished run = start("out");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_NE(run.err.find("kind=k-gt: every point of the [tune] grid diverged"), std::string::npos)
      << run.err;
  EXPECT_EQ(summary_of("out")["runs"][0]["outcome"], "not run");
  EXPECT_EQ(summary_of("out")["tuned"]["combinations"][0]["chosen"], nullptr);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out/kind=k-gt/rep-1"));
}

TEST_F(Tune, TellsATargetThatWasNotReached) {
  ASSERT_EQ(
      start("out", {"--set", "tune.read=rounds_to_target", "--set", "tune.target=1e-30"}).exit_code,
      0);
  const json points = summary_of("out")["tuned"]["combinations"][0]["points"];
  EXPECT_EQ(points[1]["score"], "not reached");
  EXPECT_EQ(points[1]["chosen"], true) << "the best last row";
}

TEST_F(Tune, IsReplacedByForceWithoutALeftover) {
  ASSERT_EQ(start("out").exit_code, 0);
  ASSERT_EQ(start("out", {"--force", "--set", "algorithm.kind=k-gt", "--set",
                          "algorithm.local_rate=0.1", "--set", "run.repetitions=1"})
                .exit_code,
            0);
  EXPECT_EQ(listing(folder_ / "out"),
            (Texts{"config.toml", "metrics.csv", "model.npy", "nodes.npy", "summary.json"}));
}

TEST_F(Tune, EndsCleanlyWhenItIsInterrupted) {
  Program program(
      {"run", "tune.toml", "--out", "out", "--threads", "1", "--set", "tune.rounds=1000000000",
       "--set", "run.evaluate_every=100000", "--set", "algorithm.kind=k-gt"},
      folder_.path());
  program.signal_once_there(SIGINT, folder_ / "out/tune/local_rate=0.05/rep-1/metrics.csv");
  const Finished run = program.wait();
  EXPECT_EQ(run.exit_code, 130) << run.err;
  EXPECT_EQ(run.err.find("diverged"), std::string::npos) << run.err;
  const json summary = summary_of("out");
  EXPECT_EQ(summary["tuned"]["combinations"][0]["chosen"], nullptr);
  EXPECT_EQ(summary["tuned"]["combinations"][0]["points"][2]["outcome"], "not run");
  EXPECT_EQ(summary["runs"][0]["outcome"], "not run");
}

TEST_F(Tune, RefusesAMetricThatTheDataCannotGive) {
  write_points(folder_, 20);
  folder_.write("tune.toml",
                "[problem]\nkind = 'logistic'\ndata = 'points.svm'\n[network]\nnodes = 2\n"
                "[algorithm]\nkind = 'gt'\n[run]\nrounds = 2\n"
                "[tune]\n'algorithm.local_rate' = [0.1, 1]\nmetric = 'test_accuracy'\n");
  const Finished run = start("out");
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("tune.metric"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("there are no test data"), std::string::npos) << run.err;
}

// Rates far too low for a problem whose best rate is some 0.05: the grid grows upwards until the
// best lies inside, over ranks as in one process, and a later program finds what was added.
TEST_F(Tune, WidensTheGridWhereTheBestLiesAtItsEdge) {
  std::string narrow = tuned_sweep;
  narrow.replace(narrow.find("[1e60, 0.05, 1e-9]"), 18, "[1e-5, 1e-4]");
  folder_.write("tune.toml", narrow);
  ASSERT_EQ(start("narrow").exit_code, 0);
  EXPECT_EQ(summary_of("narrow")["tuned"]["combinations"][0]["chosen"]["algorithm.local_rate"],
            "0.0001");
  const Texts widen = {"--set", "tune.widen=20"};
  const Finished run = start("out", widen);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const json summary = summary_of("out");
  for (const json& combination : summary["tuned"]["combinations"]) {
    EXPECT_EQ(combination["at_edge"], json::array()) << combination["chosen"];
    const std::size_t points = combination["points"].size();
    EXPECT_GT(points, 4U);
    EXPECT_LT(points, 9U) << "it ends when the best lies inside";
    for (const json& point : combination["points"])
      EXPECT_TRUE(std::filesystem::exists(folder_ / "out" / point["folder"] / "rep-2/model.npy"));
  }
  EXPECT_EQ(contents_of(folder_ / "out/kind=k-gt/rep-1/config.toml").find("local_rate = 0.0001"),
            std::string::npos)
      << "the runs have what was chosen at last";
  ASSERT_EQ(start("ranks", widen, 2).exit_code, 0);
  EXPECT_EQ(summary_of("ranks")["tuned"], summary["tuned"]);

  // A program that goes on finds the points that were added, and does the one that is missing.
  const std::string added = summary["tuned"]["combinations"][0]["points"][3]["folder"];
  std::filesystem::remove_all(folder_ / "out" / added);
  Texts again = widen;
  again.emplace_back("--resume");
  ASSERT_EQ(start("out", again).exit_code, 0);
  EXPECT_EQ(summary_of("out")["tuned"], summary["tuned"]);
  ASSERT_EQ(start("out", {"--set", "tune.widen=20", "--force"}).exit_code, 0);
}

}  // namespace
}  // namespace driftless::testing
