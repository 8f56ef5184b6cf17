// What the shells complete. Bash is driven as it drives itself: by the words and the place of the
// cursor.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "driftless/config/key.hpp"
#include "tests/program/program.hpp"

namespace driftless::testing {
namespace {

using Texts = std::vector<std::string>;

class Completion : public ::testing::Test {
 protected:
  // What bash would offer in place of the last word, which it ends at each =.
  Texts offered(const Texts& words) {
    std::string line = fmt::format("source {}; COMP_WORDS=({}", script, program_path());
    for (const std::string& word : words) line += fmt::format(" '{}'", word);
    line += fmt::format(
        "); COMP_CWORD={}; complete -p driftless >/dev/null && _driftless && "
        "printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        words.size());
    const Finished bash = Program::command({"/bin/bash", "-c", line}, folder_.path()).wait();
    EXPECT_EQ(bash.exit_code, 0);
    EXPECT_EQ(bash.err, "");
    std::istringstream lines(bash.out);
    Texts all;
    for (std::string text; std::getline(lines, text);) all.push_back(text);
    std::erase(all, "");
    std::ranges::sort(all);
    return all;
  }

  static constexpr const char* script =
      DRIFTLESS_TEST_DATA "/../../driftless/cli/completion/driftless.bash";
  TemporaryFolder folder_;
};

TEST_F(Completion, OffersTheCommands) {
  const Texts commands = offered({""});
  for (const char* command : {"run", "report", "topology", "data", "reproduce", "list"}) {
    EXPECT_TRUE(std::ranges::count(commands, command) == 1) << command;
  }
  EXPECT_EQ(offered({"rep"}), (Texts{"report", "reproduce"}));
  EXPECT_EQ(offered({"data", ""}), (Texts{"fetch", "show", "split"}));
}

TEST_F(Completion, OffersOptionsAndWhatTheyAreChosenFrom) {
  EXPECT_EQ(offered({"run", "--t"}), (Texts{"--threads", "--timeout"}));
  EXPECT_EQ(offered({"report", "--scale", ""}), (Texts{"linear", "log"}));
  EXPECT_EQ(offered({"report", "--scale", "=", "l"}), (Texts{"linear", "log"}));
  EXPECT_EQ(offered({"report", "--scale", "="}), (Texts{"linear", "log"}));
  EXPECT_EQ(offered({"topology", "ra"}),
            (Texts{"random_geometric", "random_matching", "random_regular"}));
  EXPECT_EQ(offered({"report", "x", "--against", "bytes"}),
            (Texts{"bytes_busiest", "bytes_total"}));
  EXPECT_EQ(offered({"report", "x", "--metric", "test_"}),
            (Texts{"test_accuracy", "test_loss", "test_r2"}));
  EXPECT_EQ(offered({"list", "me"}), (Texts{"methods", "metrics"}));
  EXPECT_EQ(offered({"reproduce", "ta"}), (Texts{"table1", "table2"}));
}

TEST_F(Completion, OffersTheKeysOfAConfigAndTheirNames) {
  Texts keys;
  for (const Key& key : config_keys()) keys.push_back(key.name + "=");
  std::ranges::sort(keys);
  EXPECT_EQ(offered({"run", "x.toml", "--set", ""}), keys);
  EXPECT_EQ(offered({"run", "x.toml", "--set", "network.we"}), Texts{"network.weights="});
  EXPECT_EQ(offered({"run", "x.toml", "--set", "algorithm.kind", "=", "k"}), Texts{"k-gt"});
  EXPECT_EQ(offered({"list", "keys", "run.s"}), Texts{"run.seed"});
}

TEST_F(Completion, OffersFilesAndFoldersWhereTheyAreTaken) {
  folder_.write("first.toml", "");
  folder_.write("runs/one", "");
  EXPECT_EQ(offered({"run", "f"}), Texts{"first.toml"});
  EXPECT_EQ(offered({"report", ""}), Texts{"runs"});
  EXPECT_EQ(offered({"report", "runs", ""}), Texts{"runs"});  // it takes several
  EXPECT_EQ(offered({"run", "first.toml", "--out", "=", "r"}), Texts{"runs"});
  EXPECT_EQ(offered({"data", "show", ""}), (Texts{"first.toml", "mnist", "runs"}));
}

// The scripts of zsh and fish ask the same question, and show these words.
TEST_F(Completion, TellsWhatTheWordsMean) {
  const Finished run = run_program({"complete", "list", "keys", "run.se"}, folder_.path());
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.out, fmt::format("run.seed\t{}\n", find_key("run.seed")->doc));
}

}  // namespace
}  // namespace driftless::testing
