// What a run leaves in its folder.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/program/program.hpp"

namespace driftless::testing {
namespace {

using Texts = std::vector<std::string>;
using nlohmann::json;

const std::string small_config = R"([problem]
dim = 4
noise = 0.5
[network]
nodes = 6
[algorithm]
kind = "k-gt"
local_steps = 3
local_rate = 0.01
[run]
rounds = 10
evaluate_every = 4
seed = 7
)";

const std::string metrics_header =
    "round,gradients,passes,bytes_total,bytes_busiest,seconds,loss,suboptimality,grad_norm2,"
    "consensus,correction_error,drift,heterogeneity,train_loss,validation_loss,"
    "validation_accuracy,test_loss,test_accuracy,test_r2,node_loss,node_accuracy,worst_node_"
    "accuracy,members,links_up,late_letters,correction_sum";

const Texts run_files = {"config.toml", "metrics.csv", "model.npy", "nodes.npy", "summary.json"};

// A small run in "out" that went well.
class SmallRun : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.write("small.toml", small_config);
    const Finished run = start({"--out", "out"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
  }

  Finished start(const Texts& more) const {
    Texts arguments = {"run", "small.toml"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments, folder_.path());
  }

  const TemporaryFolder folder_;
};

TEST_F(SmallRun, LeavesItsFiveFilesAndNothingElse) {
  EXPECT_EQ(listing(folder_ / "out"), run_files);
}

TEST_F(SmallRun, HasARowForTheStartEveryFourthRoundAndTheEnd) {
  const std::string text = contents_of(folder_ / "out/metrics.csv");
  EXPECT_EQ(text.substr(0, text.find('\n')), metrics_header);
  const Table metrics = read_csv(folder_ / "out/metrics.csv");
  Texts rounds;
  for (std::size_t row = 0; row < metrics.rows.size(); ++row) {
    rounds.push_back(metrics.text(row, "round"));
  }
  EXPECT_EQ(rounds, (Texts{"0", "4", "8", "10"}));
  EXPECT_EQ(metrics.text(3, "gradients"), "30");
  // 6 edges, both directions, 2 vectors of 4 doubles; a node of a ring has 2 neighbours.
  EXPECT_EQ(metrics.text(3, "bytes_total"), std::to_string(10 * 6 * 2 * 2 * 4 * 8));
  EXPECT_EQ(metrics.text(3, "bytes_busiest"), std::to_string(10 * 2 * 2 * 2 * 4 * 8));
  for (const char* column : {"passes", "drift", "train_loss", "test_loss", "test_accuracy",
                             "node_loss", "node_accuracy", "worst_node_accuracy"}) {
    EXPECT_EQ(metrics.text(3, column), "") << column << " does not apply";
  }
}

TEST_F(SmallRun, LeavesTheMeanOfItsNodesAsTheModel) {
  const Eigen::MatrixXd nodes = read_npy(folder_ / "out/nodes.npy");
  const Eigen::MatrixXd model = read_npy(folder_ / "out/model.npy");
  ASSERT_EQ(nodes.rows(), 6);
  ASSERT_EQ(nodes.cols(), 4);
  ASSERT_EQ(model.cols(), 4);
  EXPECT_LE((nodes.colwise().mean() - model).cwiseAbs().maxCoeff(),
            1e-15 * model.cwiseAbs().maxCoeff());
}

TEST_F(SmallRun, IsHadAgainFromTheConfigThatItWrote) {
  const Finished again = run_program({"run", "out/config.toml", "--out", "again"}, folder_.path());
  ASSERT_EQ(again.exit_code, 0) << again.err;
  for (const char* file : {"nodes.npy", "model.npy", "config.toml"}) {
    EXPECT_EQ(contents_of(folder_ / "again" / file), contents_of(folder_ / "out" / file)) << file;
  }
}

TEST_F(SmallRun, WritesEveryDefaultIntoItsConfig) {
  const std::string config = contents_of(folder_ / "out/config.toml");
  for (const char* line :
       {"topology = \"ring\"", "weights = \"metropolis\"", "dim = 4", "communication_rate = 1",
        "initial_correction = \"zero\"", "seed = 7", "heterogeneity = 1", "evaluate_every = 4"}) {
    EXPECT_NE(config.find(line), std::string::npos) << line << " is not in:\n" << config;
  }
}

TEST_F(SmallRun, SummarisesItself) {
  const json summary = json::parse(contents_of(folder_ / "out/summary.json"));
  const Table metrics = read_csv(folder_ / "out/metrics.csv");
  EXPECT_EQ(summary["outcome"], "finished");
  EXPECT_EQ(summary["algorithm"], "k-gt");
  EXPECT_EQ(summary["seed"], 7);
  EXPECT_EQ(summary["last"]["round"], 10);
  EXPECT_EQ(summary["last"]["suboptimality"], metrics.number(3, "suboptimality"));
  EXPECT_TRUE(summary["last"]["drift"].is_null());
  EXPECT_EQ(summary["network"]["nodes"], 6);
  EXPECT_EQ(summary["network"]["edges"], 6);
  // A ring of six with weights 1/3 has lambda_2 = (1 + 2 cos 60°)/3 = 2/3.
  EXPECT_NEAR(summary["network"]["p"].get<double>(), 1 - 4.0 / 9, 1e-12);
  EXPECT_EQ(summary["traffic"]["bytes_total"], std::stol(metrics.text(3, "bytes_total")));
  EXPECT_EQ(summary["problem"]["dim"], 4);
  EXPECT_EQ(summary["problem"]["smoothness"], 6.0);
  for (const char* key : {"seconds", "host", "versions", "threads"}) {
    EXPECT_TRUE(summary.contains(key)) << key;
  }
}

TEST_F(SmallRun, IsNotOverwrittenWithoutForce) {
  std::map<std::string, std::string> before;
  for (const std::string& name : run_files) before[name] = contents_of(folder_ / "out" / name);
  const Finished again = start({"--out", "out", "--set", "run.seed=8"});
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_NE(again.err.find("--force"), std::string::npos) << again.err;
  EXPECT_EQ(listing(folder_ / "out"), run_files);
  for (const std::string& name : run_files) {
    EXPECT_EQ(contents_of(folder_ / "out" / name), before[name]) << name;
  }
}

TEST_F(SmallRun, IsReplacedByForceAndNothingElseIs) {
  const std::string before = contents_of(folder_ / "out/nodes.npy");
  folder_.write("out/notes.txt", "mine");
  folder_.write("out/figures/plot.svg", "mine");
  std::filesystem::create_directory(folder_ / "out/empty");
  const Finished another = start({"--out", "out/another"});
  ASSERT_EQ(another.exit_code, 0) << another.err;

  const Finished again = start({"--out", "out", "--force", "--set", "run.seed=8"});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_NE(contents_of(folder_ / "out/nodes.npy"), before);
  EXPECT_EQ(contents_of(folder_ / "out/notes.txt"), "mine");
  EXPECT_EQ(contents_of(folder_ / "out/figures/plot.svg"), "mine");
  EXPECT_TRUE(std::filesystem::exists(folder_ / "out/empty"));
  EXPECT_EQ(listing(folder_ / "out/another"), run_files) << "a run of its own in a folder below";
}

TEST_F(SmallRun, TakesOverridesFromTheCommandLine) {
  const Finished run = start({"--out", "other", "--set", "run.rounds=3", "--set",
                              "algorithm.kind=d-sgd", "--set", "network.topology=star"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const json summary = json::parse(contents_of(folder_ / "other/summary.json"));
  EXPECT_EQ(summary["last"]["round"], 3);
  EXPECT_EQ(summary["algorithm"], "d-sgd");
  EXPECT_EQ(summary["network"]["max_degree"], 5);
}

TEST_F(SmallRun, GoesBelowRunsUnderTheConfigsNameByDefault) {
  const Finished run = start({});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(listing(folder_ / "runs/small"), run_files);
  EXPECT_NE(run.out.find("written to runs/small"), std::string::npos) << run.out;
}

TEST_F(SmallRun, SaysNothingWhenQuiet) {
  const Finished run = start({"--out", "quiet", "--quiet"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(listing(folder_ / "quiet"), run_files);
}

TEST_F(SmallRun, MeasuresTheDriftWhenAsked) {
  const Finished run = start({"--out", "drift", "--set", "run.drift=true"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const Table metrics = read_csv(folder_ / "drift/metrics.csv");
  EXPECT_EQ(metrics.text(0, "drift"), "");
  EXPECT_GT(metrics.number(3, "drift"), 0.0);
  EXPECT_EQ(contents_of(folder_ / "drift/nodes.npy"), contents_of(folder_ / "out/nodes.npy"))
      << "to measure is not to change";
}

TEST(Traffic, OfAServerIsProportionalToTheNodes) {
  const TemporaryFolder folder;
  folder.write("small.toml", small_config);
  for (const auto& [kind, vectors] : std::map<std::string, long>{{"scaffold", 2}, {"fedavg", 1}}) {
    for (const long nodes : {6, 60}) {
      const std::string out = kind + std::to_string(nodes);
      const Finished run = run_program(
          {"run", "small.toml", "--out", out, "--set", "algorithm.kind=" + kind, "--set",
           "network.nodes=" + std::to_string(nodes), "--set", "algorithm.local_rate=1e-4"},
          folder.path());
      ASSERT_EQ(run.exit_code, 0) << run.err;
      const Table metrics = read_csv(folder / out / "metrics.csv");
      // Ten rounds, up and down, vectors of four doubles for each node, all through one point.
      const std::string expected = std::to_string(std::int64_t{10} * 2 * nodes * vectors * 4 * 8);
      EXPECT_EQ(metrics.text(3, "bytes_busiest"), expected) << out;
      EXPECT_EQ(metrics.text(3, "bytes_total"), expected) << out;
    }
  }
}

}  // namespace
}  // namespace driftless::testing
