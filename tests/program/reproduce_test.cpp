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

TEST(Reproduce, RefusesWhatThePaperDoesNotHave) {
  const TemporaryFolder folder;
  const Finished run = run_program({"reproduce", "fig7"}, folder.path());
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("fig1, fig2a, fig2b, fig3, fig4, table1, table2, all"), std::string::npos)
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
