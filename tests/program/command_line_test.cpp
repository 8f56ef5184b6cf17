#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "driftless/algorithm/registry.hpp"
#include "driftless/config/key.hpp"
#include "driftless/experiment/metrics.hpp"
#include "driftless/graph/families.hpp"
#include "tests/program/program.hpp"

namespace driftless::testing {
namespace {

void expect_words(const std::string& text, const std::vector<std::string_view>& words) {
  for (const std::string_view word : words) {
    EXPECT_NE(text.find(word), std::string::npos) << word << " is not in:\n" << text;
  }
}

TEST(CommandLine, ListShowsAllThatAConfigCanName) {
  const TemporaryFolder folder;
  const Finished list = run_program({"list"}, folder.path());
  EXPECT_EQ(list.exit_code, 0);
  EXPECT_EQ(list.err, "");
  std::vector<std::string_view> names;
  for (const AlgorithmKind& kind : algorithm_kinds()) names.push_back(kind.summary);
  for (const GraphFamily& family : graph_families()) names.push_back(family.name);
  for (const Key& key : config_keys()) names.push_back(key.name);
  for (const MetricColumn& column : metric_columns()) names.push_back(column.meaning);
  expect_words(list.out, names);
  EXPECT_NE(list.out.find("K-GT: K corrected local steps"), std::string::npos);
}

TEST(CommandLine, ListTellsProgramsWhatEachKindTakes) {
  const TemporaryFolder folder;
  const Finished list = run_program({"list", "--format", "json"}, folder.path());
  const nlohmann::json all = nlohmann::json::parse(list.out);
  ASSERT_EQ(all["algorithms"].size(), algorithm_kinds().size());
  for (const auto& algorithm : all["algorithms"]) {
    const AlgorithmKind& kind = *find_algorithm_kind(algorithm["name"].get<std::string>());
    EXPECT_EQ(algorithm["title"], kind.title);
    EXPECT_EQ(algorithm["local_steps"], kind.local_steps);
    EXPECT_EQ(algorithm["own_options"].size(), kind.own.size());
  }
  EXPECT_EQ(all["keys"].size(), config_keys().size());
}

// `scripts/docs` puts them there.
TEST(CommandLine, ListIsWhatTheDocsHaveOfKeys) {
  const TemporaryFolder folder;
  const Finished list = run_program({"list", "--format", "markdown"}, folder.path());
  const std::string page = contents_of(DRIFTLESS_TEST_DATA "/../../docs/config.md");
  const std::string begin = "<!-- keys -->\n";
  const std::size_t at = page.find(begin) + begin.size();
  EXPECT_EQ(page.substr(at, page.find("<!-- end of keys -->") - at), list.out);
}

TEST(CommandLine, HelpShowsTheCommandsAndTheExitCodes) {
  const TemporaryFolder folder;
  const Finished help = run_program({"--help"}, folder.path());
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_EQ(help.err, "");
  expect_words(help.out, {"run", "list", "--version", "Exit codes"});
}

TEST(CommandLine, HelpOfRunShowsItsOptions) {
  const TemporaryFolder folder;
  const Finished help = run_program({"run", "--help"}, folder.path());
  EXPECT_EQ(help.exit_code, 0);
  expect_words(help.out, {"config", "--set KEY=VALUE", "--out DIR", "--threads", "--force",
                          "--quiet", "--timeout MINUTES"});
}

TEST(CommandLine, VersionIsOneLine) {
  const TemporaryFolder folder;
  const Finished version = run_program({"--version"}, folder.path());
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_TRUE(version.out.starts_with("driftless 0.")) << version.out;
  EXPECT_EQ(version.out.find('\n'), version.out.size() - 1);
}

TEST(CommandLine, WithoutACommandShowsTheUsage) {
  const TemporaryFolder folder;
  const Finished nothing = run_program({}, folder.path());
  EXPECT_EQ(nothing.exit_code, 2);
  EXPECT_EQ(nothing.out, "");
  expect_words(nothing.err, {"usage: driftless COMMAND", "run", "list", "driftless --help"});
}

}  // namespace
}  // namespace driftless::testing
