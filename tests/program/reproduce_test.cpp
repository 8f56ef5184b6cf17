// `driftless reproduce`: the paper's experiments, which the program carries with it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/program/program.hpp"

namespace driftless::testing {
namespace {

using nlohmann::json;

TEST(Reproduce, JudgesTheClaimsOfTheFirstTable) {
  const TemporaryFolder folder;
  const Finished run = run_program({"reproduce", "table1", "--quick"}, folder.path());
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto out = folder / "runs/reproduce";
  const json found = json::parse(contents_of(out / "table1/claims.json"));
  EXPECT_EQ(found["quick"], true);
  ASSERT_EQ(found["claims"].size(), 17U);
  const auto verdict_of = [&](const std::string& beginning) {
    for (const json& claim : found["claims"]) {
      if (claim["statement"].get<std::string>().starts_with(beginning)) return claim["verdict"];
    }
    return json("no such claim");
  };
  // What the meters count exactly, and biases that are thousands of times the noise.
  EXPECT_EQ(verdict_of("K-GT: the busiest point costs O(Δ)"), "holds");
  EXPECT_EQ(verdict_of("SCAFFOLD: the busiest point costs O(n)"), "holds");
  EXPECT_EQ(verdict_of("K-GT: the same on a complete graph"), "holds");
  EXPECT_EQ(verdict_of("Gossip-PGA: the busiest point costs O(Δ)"), "does not hold")
      << "its global rounds go over a server";
  EXPECT_EQ(verdict_of("D-SGD: harmed by heterogeneity"), "holds");
  EXPECT_NE(run.out.find("does not hold"), std::string::npos) << run.out;
  EXPECT_NE(contents_of(out / "claims.md").find("### table1"), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(out / "table1.toml"));
  EXPECT_TRUE(std::filesystem::exists(out / "table1/summary.json"));
}

TEST(Reproduce, JudgesAgainFromTheFilesAlone) {
  const TemporaryFolder folder;
  ASSERT_EQ(run_program({"reproduce", "table1", "--quick", "--quiet"}, folder.path()).exit_code, 0);
  const auto table = folder / "runs/reproduce/table1";
  const json claims = json::parse(contents_of(table / "claims.json"))["claims"];
  const json& gap = claims.back();
  EXPECT_EQ(gap["seeds"], json({1, 2, 3, 4, 5}));
  ASSERT_EQ(gap["runs"].size(), 2U);
  EXPECT_EQ(gap["runs"][0]["settings"]["problem.heterogeneity"], "100");
  EXPECT_EQ(gap["runs"][0]["values"].size(), 5U);
  EXPECT_EQ(gap["runs"][0]["configs"].size(), 5U);
  EXPECT_LT(gap["interval_95"][0], gap["mean"]);
  EXPECT_EQ(gap["expected"], json({0.5, 2.0}));

  const Finished same = run_program({"reproduce", "--check", "runs/reproduce"}, folder.path());
  EXPECT_EQ(same.exit_code, 0) << same.err;
  EXPECT_EQ(same.out, "table1: 17 claims, as written\n");

  // Someone has made a claim look better.
  std::string changed = contents_of(table / "claims.json");
  changed.replace(changed.find("does not hold"), 13, "holds");
  folder.write("runs/reproduce/table1/claims.json", changed);
  const Finished other = run_program({"reproduce", "--check", "runs/reproduce"}, folder.path());
  EXPECT_EQ(other.exit_code, 1) << other.out;
  EXPECT_NE(other.out.find("table1: 17 claims, NOT as written"), std::string::npos) << other.out;

  const Finished none = run_program({"reproduce", "--check", "."}, folder.path());
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_NE(none.err.find("holds no claims.json"), std::string::npos) << none.err;
  const Finished nothing = run_program({"reproduce"}, folder.path());
  EXPECT_EQ(nothing.exit_code, 2);
}

TEST(Reproduce, RefusesWhatThePaperDoesNotHave) {
  const TemporaryFolder folder;
  const Finished run = run_program({"reproduce", "fig7"}, folder.path());
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("fig1, fig2a, fig2b, fig2, fig3, fig4, table1, table2, all"),
            std::string::npos)
      << run.err;
}

TEST(Reproduce, DoesNotReplaceEarlierResultsUnasked) {
  const TemporaryFolder folder;
  folder.write("runs/reproduce/table1/summary.json", "{}");
  const Finished run = run_program({"reproduce", "table1", "--quick"}, folder.path());
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("--force"), std::string::npos) << run.err;
}

}  // namespace
}  // namespace driftless::testing
