#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "driftless/algorithm/registry.hpp"
#include "driftless/config/key.hpp"
#include "driftless/experiment/metrics.hpp"
#include "driftless/graph/families.hpp"
#include "tests/program/program.hpp"
#include "tests/support/contains.hpp"

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

TEST(CommandLine, ListShowsOnePartAlone) {
  const TemporaryFolder folder;
  const std::string all = run_program({"list"}, folder.path()).out;
  std::string together;
  for (const char* part :
       {"methods", "problems", "splits", "topologies", "weights", "keys", "metrics"}) {
    const Finished list = run_program({"list", part}, folder.path());
    EXPECT_EQ(list.exit_code, 0) << list.err;
    together += (together.empty() ? "" : "\n") + list.out;
  }
  EXPECT_EQ(together, all);
  const Finished json = run_program({"list", "methods", "--format", "json"}, folder.path());
  const nlohmann::json methods = nlohmann::json::parse(json.out);
  EXPECT_EQ(methods.size(), 1U);
  EXPECT_EQ(methods["algorithms"].size(), algorithm_kinds().size());
}

TEST(CommandLine, ListShowsTheKeysThatBeginSo) {
  const TemporaryFolder folder;
  const auto listed = [&](const std::string& begun) {
    const Finished list = run_program({"list", "keys", begun, "--format", "json"}, folder.path());
    const nlohmann::json all = nlohmann::json::parse(list.out);
    std::vector<std::string> names;
    for (const auto& key : all["keys"]) names.push_back(key["name"]);
    return names;
  };
  std::vector<std::string> of_network;
  for (const Key& key : config_keys())
    if (key.section() == "network") of_network.push_back(key.name);
  EXPECT_EQ(listed("network"), of_network);
  const std::vector<std::string> local{"algorithm.local_steps", "algorithm.local_rate"};
  EXPECT_EQ(listed("algorithm.local"), local);
  EXPECT_EQ(listed("local"), local);
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

struct Mistake {
  std::vector<std::string> arguments;
  std::string answer;
};

TEST(CommandLine, AnswersMistakesWithWhatMayBeMeant) {
  const TemporaryFolder folder;
  for (const auto& [arguments, answer] : std::vector<Mistake>{
           {{"report", "x", "--formt", "html"}, "unknown option --formt; did you mean --format?"},
           {{"report", "x", "--format", "htm"},
            "--format htm: expected one of html, svg, png, pdf, csv, tex; did you mean html?"},
           {{"report", "x", "--scale", "lin"}, "did you mean linear?"},
           {{"report", "x", "--against", "bytes"}, "did you mean bytes_total?"},
           {{"topology", "rnig", "--nodes", "8"}, "did you mean ring?"},
           {{"topology", "fully_connected", "-n", "8"}, "did you mean complete?"},
           {{"topology", "ring", "--nods", "8"}, "unknown option --nods; did you mean --nodes?"},
           {{"topology", "ring", "-n", "8", "--weights", "metro"}, "did you mean metropolis?"},
           {{"topology", "ring", "--nodes", "1e9"},
            "--nodes 1e9: expected an integer of at least 1 and at most 10000000"},
           {{"topology", "ring", "-n", "8", "--seed", "-1"},
            "--seed -1: expected an integer of at least 0"},
           {{"topology", "ring", "-n", "8", "--message", "175kX"},
            "--message 175kX: expected bytes from 1 to 1 EB, as 174720, 175kB"},
           {{"data", "split", "x", "-n", "3", "--split", "dirichlett"}, "did you mean dirichlet?"},
           {{"data", "split", "x", "--node", "3"}, "unknown option --node; did you mean --nodes?"},
           {{"data", "spilt", "x"}, "unknown command spilt; did you mean split?"},
           {{"reproduce", "fgi1"}, "what fgi1: expected one of fig1, fig2a,"},
           {{"run", "x.toml", "--qiet"}, "unknown option --qiet; did you mean --quiet?"},
           {{"run", "x.toml", "--ot=y"}, "unknown option --ot; did you mean --out?"},
           {{"run", "x.toml", "--rounds", "9"},
            "unknown option --rounds; keys of the config are given as --set run.rounds=VALUE"},
           {{"run", "x.toml", "--lr", "9"}, "--set algorithm.local_rate=VALUE"},
           {{"run", "x.toml", "--threads", "0"},
            "--threads 0: expected an integer of at least 1 and at most 4096"},
           {{"run", "x.toml", "y.toml"}, "unexpected word y.toml"},
           {{"--versoin"}, "unknown option --versoin; did you mean --version?"},
           {{"train"}, "unknown command train; did you mean run?"},
           {{"list", "algorithms"}, "did you mean methods?"},
           {{"list", "metods"}, "did you mean methods?"},
           {{"list", "keys", "netwrk"}, "did you mean network?"},
           {{"list", "methods", "network"}, "only keys are chosen by how they begin"},
           {{"list", "methods", "--format", "markdown"}, "has the keys alone"}}) {
    const Finished run = run_program(arguments, folder.path());
    EXPECT_EQ(run.exit_code, 2) << run.err;
    EXPECT_EQ(run.out, "");
    EXPECT_TRUE(contains(run.err, answer));
    EXPECT_LE(run.err.size(), 400U) << run.err;
  }
}

TEST(CommandLine, TakesSizesWithUnits) {
  const TemporaryFolder folder;
  const auto times = [&](const std::string& message) {
    return run_program({"topology", "ring", "-n", "8", "--message", message}, folder.path()).out;
  };
  EXPECT_NE(times("175000"), "");
  EXPECT_EQ(times("175kB"), times("175000"));
  EXPECT_EQ(times("2MiB"), times("2097152"));
}

}  // namespace
}  // namespace driftless::testing
