// `driftless run` where every node has a file of its own.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/program/program.hpp"
#include "tests/support/contains.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/site_files.hpp"

namespace driftless::testing {
namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

const std::string config =
    "[problem]\nkind = 'logistic'\ndata = 'site-{node}.csv'\ntest_data = 'test-{node}.csv'\n"
    "label = 'risk'\nstandardise = true\nvalidation = 0.2\nweighting = 'samples'\nbatch = 8\n"
    "[network]\nnodes = 5\n"
    "[algorithm]\nkind = 'k-gt'\nlocal_steps = 3\nlocal_rate = 0.1\n"
    "[run]\nrounds = 12\nevaluate_every = 4\n";

class SitesProgram : public ::testing::Test {
 protected:
  SitesProgram() {
    write_sites(folder_);
    folder_.write("sites.toml", config);
  }

  Finished run(const Texts& more = {}) const {
    Texts arguments = {"run", "sites.toml", "--out", "out", "--quiet"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments, folder_.path());
  }

  // On five ranks, each in a folder of its own that holds the config and the files of its node.
  Finished run_at_home() const {
    std::vector<fs::path> homes;
    for (int rank = 0; rank < 5; ++rank) {
      const std::string home = fmt::format("home-{}/", rank);
      folder_.write(home + "sites.toml", config);
      for (const char* kind : {"site", "test"}) {
        const std::string file = fmt::format("{}-{}.csv", kind, rank);
        folder_.write(home + file, contents_of(folder_ / file));
      }
      homes.push_back(folder_ / home);
    }
    const Texts command = mpirun_in(homes, {"run", "sites.toml", "--out", "out", "--quiet"});
    return Program::command(command, folder_.path()).wait();
  }

  // Refused with these words before anything is written.
  void expect_refused(const std::string& words, const Texts& more = {}) const {
    const Finished refused = run(more);
    EXPECT_EQ(refused.exit_code, 2) << refused.err;
    EXPECT_TRUE(contains(refused.err, words)) << refused.err;
    EXPECT_FALSE(fs::exists(folder_ / "out"));
  }

  void change(const std::string& file, const std::string& from, const std::string& to) const {
    std::string text = contents_of(folder_ / file);
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos);
    folder_.write(file, text.replace(at, from.size(), to));
  }

  nlohmann::json summary(const std::string& of = "out") const {
    return nlohmann::json::parse(contents_of(folder_ / of / "summary.json"));
  }

  const TemporaryFolder folder_;
};

TEST_F(SitesProgram, GivesTheSameBitsOnRanksThatHaveOnlyTheirOwnFiles) {
  ASSERT_EQ(run().exit_code, 0);
  const Finished ranks = run_at_home();
  ASSERT_EQ(ranks.exit_code, 0) << ranks.err;
  for (const char* file : {"nodes.npy", "model.npy", "model.json"}) {
    EXPECT_EQ(contents_of(folder_ / "out" / file), contents_of(folder_ / "home-0/out" / file));
  }
  expect_same_metrics(folder_ / "out/metrics.csv", folder_ / "home-0/out/metrics.csv");
  const nlohmann::json one = summary();
  const nlohmann::json all = summary("home-0/out");
  for (const char* key : {"quality", "split", "inputs"}) EXPECT_EQ(one[key], all[key]);
}

TEST_F(SitesProgram, TellsHowEverySiteIsServed) {
  ASSERT_EQ(run().exit_code, 0);
  const nlohmann::json quality = summary()["quality"];
  ASSERT_EQ(quality["nodes"].size(), 5);
  double right = 0;
  double worst = 1;
  for (int node = 0; node < 5; ++node) {
    const nlohmann::json& told = quality["nodes"][node];
    EXPECT_EQ(told["data"], fmt::format("site-{}.csv", node));
    const int held_out = static_cast<int>(std::lround(0.2 * site_sizes[node]));
    EXPECT_EQ(told["samples"], site_sizes[node] - held_out);
    EXPECT_EQ(told["test_samples"], 20);
    right += 20 * told["accuracy"].get<double>();
    worst = std::min(worst, told["accuracy"].get<double>());
  }
  EXPECT_NEAR(quality["accuracy"], right / 100, 1e-12);
  EXPECT_EQ(quality["nodes"][quality["worst_node"].get<int>()]["accuracy"], worst);
  const nlohmann::json& classes = quality["classes"];
  ASSERT_EQ(classes.size(), 2);
  EXPECT_EQ(classes[0]["class"], "high");
  EXPECT_NEAR(classes[0]["samples"].get<double>() * classes[0]["accuracy"].get<double>() +
                  classes[1]["samples"].get<double>() * classes[1]["accuracy"].get<double>(),
              right, 1e-9);
  EXPECT_GT(quality["auc"], 0.5);
}

TEST_F(SitesProgram, TakesAListOfFiles) {
  ASSERT_EQ(run().exit_code, 0);
  folder_.write("list.toml",
                "[problem]\nkind = 'logistic'\nlabel = 'risk'\nstandardise = true\n"
                "validation = 0.2\nweighting = 'samples'\nbatch = 8\n"
                "data = ['site-0.csv', 'site-1.csv', 'site-2.csv', 'site-3.csv', "
                "'site-4.csv']\ntest_data = 'test-{node}.csv'\n" +
                    config.substr(config.find("[algorithm]")));
  const Finished listed =
      run_program({"run", "list.toml", "--out", "listed", "--quiet"}, folder_.path());
  ASSERT_EQ(listed.exit_code, 0) << listed.err;
  EXPECT_EQ(contents_of(folder_ / "out/nodes.npy"), contents_of(folder_ / "listed/nodes.npy"));
}

TEST_F(SitesProgram, NamesASiteThatDiffers) {
  change("site-3.csv", "age,pressure", "pressure,age");
  expect_refused("site-3.csv:1: feature 1 is \"pressure\", which is feature 2 in ");
  write_sites(folder_);
  change("site-4.csv", ",low\n", ",maybe\n");
  expect_refused("site-4.csv:3: the class \"maybe\" is new: ");
  expect_refused("problem.classes = [\"high\", \"low\", \"maybe\"]");
  write_sites(folder_);
  change("site-1.csv", "risk\n", "risk\nold,120,70,low\n");
  expect_refused("site-1.csv:2: column \"age\"");
}

TEST_F(SitesProgram, NamesASiteThatDiffersOnAnotherRank) {
  const auto expect_told_once = [&](const std::string& words) {
    const Finished refused = run_at_home();
    EXPECT_EQ(refused.exit_code, 2) << refused.err;
    const std::size_t first = refused.err.find(words);
    EXPECT_NE(first, std::string::npos) << refused.err;
    EXPECT_EQ(refused.err.find(words, first + 1), std::string::npos) << refused.err;
    EXPECT_FALSE(fs::exists(folder_ / "home-0/out"));
  };
  change("site-3.csv", "age,pressure", "pressure,age");
  expect_told_once("site-3.csv:1: feature 1 is \"pressure\", which is feature 2 in ");
  write_sites(folder_);
  change("site-2.csv", ",low\n", ",\n");
  expect_told_once("site-2.csv:3: column \"risk\": the value is missing");
}

TEST_F(SitesProgram, NamesAMissingColumn) {
  std::string text = "age,weight,risk\n";
  for (int k = 0; k < 10; ++k)
    text += fmt::format("{},{},{}\n", 40 + k, 60, k % 2 ? "low" : "high");
  folder_.write("site-2.csv", text);
  expect_refused("site-2.csv:1: lacks the column that ");
  expect_refused("after \"age\"");
}

TEST_F(SitesProgram, RefusesASplitOfWhatIsSplitAlready) {
  expect_refused("problem.split = \"random\": one file a node in problem.data takes its place",
                 {"--set", "problem.split=random"});
}

TEST_F(SitesProgram, NamesTheFileOfANodeThatIsNotThere) {
  folder_.remove("site-3.csv");
  expect_refused("site-3.csv: is not there, the file of node 3; network.nodes = 5");
}

TEST_F(SitesProgram, RefusesToResumeWithTheChangedFileOfANode) {
  ASSERT_EQ(run({"--set", "checkpoint.every_rounds=4", "--set", "run.rounds=8"}).exit_code, 0);
  change("site-3.csv", ",low\n", ",high\n");
  const Finished resumed = run({"--resume"});
  EXPECT_EQ(resumed.exit_code, 2);
  EXPECT_TRUE(contains(resumed.err, "problem.data node 3 site-3.csv")) << resumed.err;
}

TEST_F(SitesProgram, TunesByTheSamplesHeldOut) {
  folder_.write("sites.toml", config + "[tune]\n'algorithm.local_rate' = [0.1, 0.01]\n");
  const Finished tuned = run();
  ASSERT_EQ(tuned.exit_code, 0) << tuned.err;
  EXPECT_FALSE(contains(tuned.err, "warning")) << tuned.err;
  const Table candidates = read_csv(folder_ / "out/tune.csv");
  EXPECT_TRUE(contains(contents_of(folder_ / "out/summary.json"), "validation_loss"));
  EXPECT_EQ(candidates.rows.size(), 2);
}

TEST_F(SitesProgram, WarnsOfTuningByTestData) {
  folder_.write(
      "sites.toml",
      config + "[tune]\nmetric = 'test_accuracy'\n'algorithm.local_rate' = [0.1, 0.01]\n");
  const Finished tuned = run();
  ASSERT_EQ(tuned.exit_code, 0) << tuned.err;
  EXPECT_TRUE(contains(tuned.err, "chooses by the test data")) << tuned.err;
}

// f weighs sites by their samples; the minimum is that of all samples together, and K-GT gets
// there.
TEST_F(SitesProgram, ReachesTheMinimumOfAllSamplesTogether) {
  const EnvironmentVariable cache("DRIFTLESS_DATA", (folder_ / "cache").string());
  folder_.write("pool.csv", [&] {
    std::string all = "age,pressure,weight,risk\n";
    for (int site = 0; site < 5; ++site) {
      const std::string text = contents_of(folder_ / fmt::format("site-{}.csv", site));
      all += text.substr(text.find('\n') + 1);
    }
    return all;
  }());
  const Texts exact{"--set", "problem.optimum=true", "--set", "problem.l2=0.1",
                    "--set", "problem.validation=0", "--set", "problem.batch=1000",
                    "--set", "run.rounds=400",       "--set", "algorithm.local_rate=0.2"};
  ASSERT_EQ(run(exact).exit_code, 0);
  const Table rows = read_csv(folder_ / "out/metrics.csv");
  EXPECT_LT(std::abs(rows.number(rows.rows.size() - 1, "suboptimality")), 1e-12);
  EXPECT_GT(rows.number(0, "suboptimality"), 1e-2);

  Texts pooled = exact;
  pooled.insert(pooled.end(), {"--out", "pooled", "--set", "problem.data=pool.csv", "--set",
                               "problem.test_data=test-0.csv", "--set", "network.nodes=1", "--set",
                               "run.rounds=1"});
  Texts arguments{"run", "sites.toml", "--quiet"};
  arguments.insert(arguments.end(), pooled.begin(), pooled.end());
  const Finished one = run_program(arguments, folder_.path());
  ASSERT_EQ(one.exit_code, 0) << one.err;
  EXPECT_NEAR(summary()["problem"]["optimal_value"].get<double>(),
              summary("pooled")["problem"]["optimal_value"].get<double>(), 1e-11);
}

TEST_F(SitesProgram, PredictsNewSamplesByNameOfColumn) {
  ASSERT_EQ(run().exit_code, 0);
  const auto predict = [&](const Texts& more) {
    Texts arguments{"predict", "out"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments, folder_.path());
  };
  folder_.write("new.csv", "id,weight,age,pressure\n7,70,95,180\n8,70,31,101\n");
  const Finished told = predict({"--data", "new.csv", "-o", "said.csv"});
  ASSERT_EQ(told.exit_code, 0) << told.err;
  const Table said = read_csv(folder_ / "said.csv");
  EXPECT_EQ(said.header, (Texts{"prediction", "p_high", "p_low"}));
  EXPECT_EQ(said.text(0, "prediction"), "high");
  EXPECT_EQ(said.text(1, "prediction"), "low");

  // The logistic function of the standardised features, written out.
  const Eigen::MatrixXd model = read_npy(folder_ / "out/model.npy");
  const nlohmann::json card = nlohmann::json::parse(contents_of(folder_ / "out/model.json"));
  double value = model(0, 3);
  const double patient[] = {95, 180, 70};
  for (int k = 0; k < 3; ++k) {
    value += model(0, k) * (patient[k] - card["standardised"]["mean"][k].get<double>()) /
             card["standardised"]["deviation"][k].get<double>();
  }
  EXPECT_NEAR(said.number(0, "p_low"), 1 / (1 + std::exp(-value)), 1e-12);

  std::string named = contents_of(folder_ / "test-2.csv");
  for (std::size_t at = named.find('\n'), line = 0; at != std::string::npos; ++line) {
    const std::string more = line == 0 ? ",name" : ",someone";  // a column that training had not
    at = named.find('\n', named.insert(at, more).find('\n', at + more.size()) + 1);
  }
  folder_.write("named.csv", named);
  const Finished scored = predict({"--data", "named.csv", "--score"});
  ASSERT_EQ(scored.exit_code, 0) << scored.err;
  EXPECT_TRUE(
      contains(scored.err, fmt::format("accuracy {:.4f} on 20 samples",
                                       summary()["quality"]["nodes"][2]["accuracy"].get<double>())))
      << scored.err;
  folder_.write("new.csv", "age,weight\n7,70\n");
  EXPECT_EQ(predict({"--data", "new.csv"}).exit_code, 2);
  EXPECT_EQ(predict({"--data", "test-0.csv", "--node", "5"}).exit_code, 2);
}

TEST_F(SitesProgram, DryRunWritesNothing) {
  const Finished dry =
      run_program({"run", "sites.toml", "--out", "out", "--dry-run"}, folder_.path());
  EXPECT_EQ(dry.exit_code, 0) << dry.err;
  for (const char* word : {"runs", "folders", "memory", "time"}) {
    EXPECT_TRUE(contains(dry.out, word)) << dry.out;
  }
  EXPECT_FALSE(fs::exists(folder_ / "out"));
}

}  // namespace
}  // namespace driftless::testing
