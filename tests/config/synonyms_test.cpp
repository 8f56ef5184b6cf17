#include "driftless/base/synonyms.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <set>

#include "driftless/config/key.hpp"
#include "driftless/experiment/metrics.hpp"
#include "tests/support/contains.hpp"

namespace driftless::testing {
namespace {

// All that a suggestion can name.
std::set<std::string> names_here() {
  std::set<std::string> names{"sweep",      "run",     "report",   "watch",  "topology", "data",
                              "fetch",      "methods", "problems", "splits", "weights",  "keys",
                              "topologies", "metrics", "linear",   "text",   "markdown"};
  for (const std::string_view section : config_sections()) names.emplace(section);
  for (const Key& key : config_keys()) {
    names.insert(key.name);
    names.insert(key.choices.begin(), key.choices.end());
  }
  for (const MetricColumn& column : metric_columns()) names.emplace(column.name);
  return names;
}

TEST(Synonyms, AreOfNamesThatThereAre) {
  const std::set<std::string> names = names_here();
  for (const Synonyms& each : all_synonyms()) {
    EXPECT_TRUE(names.contains(std::string(each.name))) << each.name;
  }
}

struct Meant {
  const char* word;
  const char* said;
};

TEST(Synonyms, OfKeysAreAnsweredWithTheKeyThatIsMeant) {
  const auto called = [](const char* key) { return fmt::format("; it is called {} here", key); };
  for (const auto& [word, key] :
       std::initializer_list<Meant>{{"algorithm.lr", "algorithm.local_rate"},
                                    {"algorithm.learning_rate", "algorithm.local_rate"},
                                    {"algorithm.eta_c", "algorithm.local_rate"},
                                    {"lr", "algorithm.local_rate"},
                                    {"algorithm.name", "algorithm.kind"},
                                    {"problem.name", "problem.kind"},
                                    {"problem.model", "problem.kind"},
                                    {"network.kind", "network.topology"},
                                    {"network.graph", "network.topology"},
                                    {"network.n", "network.nodes"},
                                    {"network.num-clients", "network.nodes"},
                                    {"run.epochs", "run.rounds"},
                                    {"run.steps", "run.rounds"},
                                    {"algorithm.steps", "algorithm.local_steps"},
                                    {"algorithm.K", "algorithm.local_steps"},
                                    {"problem.batch_size", "problem.batch"},
                                    {"problem.dirichlet_alpha", "problem.alpha"},
                                    {"algorithm.weight_decay", "problem.l2"},
                                    {"run.seeds", "run.seed or run.repetitions"}}) {
    EXPECT_EQ(unknown_key(word), fmt::format("unknown key {}{}", word, called(key)));
  }
}

TEST(Synonyms, OfWhatThereIsNotSaySo) {
  EXPECT_EQ(unknown_key("algorithm.momentum"),
            "unknown key algorithm.momentum; there is no momentum yet; the methods take plain SGD "
            "steps, with corrections");
  EXPECT_TRUE(contains(unknown_key("run.device"), "there is no GPU code"));
}

TEST(Synonyms, OfSectionsAreSuggested) {
  EXPECT_EQ(unknown_section("optimizer"), "unknown section [optimizer]; did you mean algorithm?");
  EXPECT_EQ(unknown_section("training"), "unknown section [training]; did you mean run?");
}

}  // namespace
}  // namespace driftless::testing
