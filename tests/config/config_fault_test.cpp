// What becomes of several faults, of faults in overrides and in sweeps, and of unreadable files.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "tests/config/config_text.hpp"

namespace driftless {
namespace {

using namespace testing_config;

TEST(ConfigFaults, AreToldAllAtOnceInTheOrderOfTheLines) {
  const std::string error = error_of(R"([run]
rounds = -1
evaluate_evry = 2
[algorithm]
kind = "kgt"
lazy = 3
[problem]
dim = "x"
[sweep]
"network.nodes" = [1, 0]
)",
                                     {"run.seed=x", "nonsense"});
  EXPECT_EQ(
      error,
      "9 faults in bad.toml\n"
      "bad.toml:2: run.rounds = -1: expected an integer of at least 1 and at most 4294967294\n"
      "bad.toml:3: unknown key run.evaluate_evry; did you mean run.evaluate_every?\n"
      "bad.toml:4: algorithm.local_rate is missing; expected a number above 0\n"
      "bad.toml:5: algorithm.kind = \"kgt\": expected one of k-gt, d-sgd, gt, periodical-gt, "
      "periodical-gt-full, large-batch-gt, large-batch-d-sgd, scaffold, gossip-pga, d2, "
      "fedavg, exact-diffusion, led; did you mean k-gt?\n"
      "bad.toml:6: algorithm.lazy = 3: expected true or false\n"
      "bad.toml:8: problem.dim = \"x\": expected an integer of at least 1 and at most "
      "1000000000\n"
      "bad.toml:10: network.nodes = 0: expected an integer of at least 1 and at most "
      "10000000\n"
      "--set run.seed=x: run.seed = \"x\": expected an integer of at least 0\n"
      "--set nonsense: expected key=value, for instance --set run.rounds=100");
}

TEST(ConfigFaults, OfAnOverrideNameIt) {
  const std::string good = needed;
  EXPECT_EQ(error_of(good, {"run.round=5"}),
            "--set run.round=5: unknown key run.round; did you mean run.rounds?");
  EXPECT_TRUE(
      error_of(good, {"algorithm.kind=k-tg"})
          .starts_with(
              "--set algorithm.kind=k-tg: algorithm.kind = \"k-tg\": expected one of k-gt"));
  EXPECT_TRUE(error_of(good, {"run.rounds=1e3"})
                  .starts_with("--set run.rounds=1e3: run.rounds = 1000.0: expected an integer"));
  EXPECT_TRUE(error_of(good, {"run.rounds="}).starts_with("--set run.rounds=: run.rounds = \"\""));
  EXPECT_TRUE(error_of(good, {"problem.noise=[1, 2]"})
                  .starts_with("--set problem.noise=[1, 2]: problem.noise is a list"));
  EXPECT_TRUE(
      error_of(good, {"algorithm.global_every=4"})
          .starts_with("--set algorithm.global_every=4: algorithm.global_every = 4: not a key of"));
  EXPECT_TRUE(error_of(good, {"problem.dim=1\nrun.rounds=2"}).find("expected an integer") !=
              std::string::npos)
      << "an override is one value, not a piece of a file";
}

TEST(ConfigFaults, OfAllCombinationsNameNone) {
  EXPECT_EQ(error_of("[algorithm]\nkind = 'gt'" + run_section + "[sweep]\nproblem.dim = [1, 2]"),
            "bad.toml:1: algorithm.local_rate is missing; expected a number above 0");
}

TEST(ConfigFaults, OfOneValueDoNotHideThoseOfTheOthers) {
  const std::string error =
      error_of(algorithm_section + "local_steps = 5" + run_section +
               "[sweep]\nalgorithm.kind = ['nonsense', 'gt']\nproblem.dim = [0, 1]");
  EXPECT_NE(error.find("\"nonsense\": expected one of"), std::string::npos) << error;
  EXPECT_NE(error.find("gt takes one step a round"), std::string::npos) << error;
  EXPECT_NE(error.find("problem.dim = 0: expected"), std::string::npos) << error;
  EXPECT_TRUE(error.starts_with("3 faults")) << error;
}

TEST(ConfigFaults, AreNotSoughtBeyondAHundred) {
  std::string keys;
  for (int k = 0; k < 10'000; ++k) keys += "colour" + std::to_string(k) + " = 1\n";
  const std::string error = error_of("[problem]\n" + keys + needed);
  EXPECT_TRUE(error.starts_with("100 faults in ")) << error.substr(0, 100);
  EXPECT_EQ(std::ranges::count(error, '\n'), 100);
}

TEST(LoadExperiment, SaysWhichFileCannotBeRead) {
  const std::filesystem::path folder = ::testing::TempDir();
  EXPECT_THROW(
      {
        try {
          load_experiment(folder / "not-there.toml");
        } catch (const DataError& error) {
          EXPECT_NE(std::string(error.what()).find("not-there.toml: cannot be read: No such file"),
                    std::string::npos)
              << error.what();
          throw;
        }
      },
      DataError);
  EXPECT_THROW(load_experiment(folder), DataError);
}

TEST(LoadExperiment, SeesFilesFromTheFolderOfTheConfig) {
  const std::filesystem::path folder = ::testing::TempDir();
  const std::filesystem::path file = folder / "load_experiment_test.toml";
  std::ofstream(file) << "[problem]\nfile = 'p.json'" << needed;
  const ExperimentPlan plan = load_experiment(file);
  std::filesystem::remove(file);
  EXPECT_EQ(plan.source_name, file.string());
  EXPECT_EQ(plan.runs().at(0)->config.problem.options.at("file"),
            Value(std::filesystem::absolute(folder / "p.json").string()));
}

}  // namespace
}  // namespace driftless
