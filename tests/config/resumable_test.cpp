#include "driftless/config/resumable.hpp"

#include <gtest/gtest.h>

#include "tests/config/config_text.hpp"

namespace driftless {
namespace {

using namespace testing_config;

ExperimentConfig begun() {
  ExperimentConfig config;
  config.algorithm.kind = "k-gt";
  config.algorithm.options["local_rate"] = 0.1;
  config.run.rounds = 100;
  return config;
}

TEST(Resumable, IsARunWithTheSameConfig) { EXPECT_EQ(why_not_resumable(begun(), begun(), 50), ""); }

TEST(Resumable, IsWhatHasMoreRoundsAnotherTargetOrOtherCheckpoints) {
  ExperimentConfig now = begun();
  now.run.rounds = 200;
  now.run.target = 1e-3;
  now.run.on_divergence = "continue";
  now.checkpoint = {.every_rounds = 5, .every_minutes = 0, .keep = 7};
  EXPECT_EQ(why_not_resumable(begun(), now, 100), "");
}

TEST(Resumable, IsNotARunOfAnotherConfigWhoseKeysAreAllNamed) {
  ExperimentConfig now = begun();
  now.algorithm.kind = "d-sgd";
  now.algorithm.options["local_rate"] = 0.2;
  now.run.seed = 2;
  now.network.rows = 2;  // means nothing on a ring
  EXPECT_EQ(why_not_resumable(begun(), now, 50),
            "algorithm.kind was \"k-gt\" and is \"d-sgd\"; algorithm.local_rate was 0.1 and is "
            "0.2; algorithm.initial_correction was \"zero\" and is unset; run.seed was 1 and is 2");
}

TEST(Resumable, IsNotARunThatHasDoneMoreRoundsThanItShould) {
  ExperimentConfig now = begun();
  now.run.rounds = 40;
  EXPECT_EQ(why_not_resumable(begun(), now, 40), "");
  EXPECT_EQ(why_not_resumable(begun(), now, 41),
            "run.rounds was 100 and is 40, but 41 rounds are done");
}

TEST(Resumable, IsNotWhatChangesTheRatesOfThePast) {
  ExperimentConfig before = begun();
  before.schedule.kind = "cosine";
  ExperimentConfig now = before;
  EXPECT_EQ(why_not_resumable(before, now, 50), "");
  now.run.rounds = 200;
  EXPECT_NE(why_not_resumable(before, now, 50).find("the cosine schedule"), std::string::npos);
}

TEST(Resumable, IsARunWhoseListIsWrittenInAnotherWay) {
  const auto with_hidden = [](const std::string& hidden) {
    const std::string text = "problem = {kind = 'mlp', hidden = " + hidden + "}\n";
    return plan_of(text + needed).runs().front()->config;
  };
  EXPECT_EQ(why_not_resumable(with_hidden("\"200\""), with_hidden("200"), 1), "");
  EXPECT_EQ(why_not_resumable(with_hidden("\"300 100\""), with_hidden("[300, 100]"), 1), "");
  EXPECT_EQ(why_not_resumable(with_hidden("[300, 100]"), with_hidden("[300]"), 1),
            "problem.hidden was [300, 100] and is 300");
}

}  // namespace
}  // namespace driftless
