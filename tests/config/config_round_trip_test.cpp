// The schema describes every key once; writing a config and reading it back go through it.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include "driftless/algorithm/registry.hpp"
#include "driftless/config/key.hpp"
#include "driftless/config/plan.hpp"

namespace driftless {
namespace {

ExperimentConfig read_back(const std::string& text) {
  const ExperimentPlan plan = plan_experiment(text, "resolved.toml", "/another/folder");
  RC_ASSERT(plan.runs().size() == 1U);
  return plan.runs()[0]->config;
}

double some_number(double lower, double upper) {
  const double fraction = *rc::gen::inRange(1, 1'000'000) / 1e6;
  return std::isinf(upper) ? lower + std::exp(40.0 * fraction - 20.0)
                           : lower + (upper - lower) * fraction;
}

std::filesystem::path some_path() {
  const std::vector<std::string> pieces = {"a", "é",  "\"", "'", "\\",   "#",
                                           " ", "\t", "=",  "/", ".mtx", ".csv"};
  std::string text = "/";
  for (const std::string& piece :
       *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(pieces)))
    text += piece;
  return std::filesystem::path(text).lexically_normal();
}

Value some_value(const Option& key);

template <class Element>
Value some_list(const Option& key) {
  std::vector<Element> list;
  for (int left = *rc::gen::inRange(key.maybe_empty ? 0 : 1, 4); left > 0; --left)
    list.push_back(std::get<Element>(some_value(key.element())));
  return list;
}

Value some_value(const Option& key) {
  switch (key.type) {
    case Key::Type::boolean:
      return *rc::gen::arbitrary<bool>();
    case Key::Type::integer:
      return *rc::gen::inRange<std::int64_t>(static_cast<std::int64_t>(*key.lower), 1000);
    case Key::Type::number:
      return some_number(*key.lower, key.upper.value_or(INFINITY));
    case Key::Type::text:
      return key.choices.empty() ? "30 20" : std::string(*rc::gen::elementOf(key.choices));
    case Key::Type::path:
      return some_path().string();
    case Key::Type::integers:
      return some_list<std::int64_t>(key);
    case Key::Type::texts:
    case Key::Type::paths:
      return some_list<std::string>(key);
  }
  return false;
}

// The problem decides which keys mean something, then files do, then what other keys select by;
// then come the others.
int turn(const Key& key) {
  if (key.name == "problem.kind") return 0;
  if (key.names_files()) return 1;
  const bool selects = std::ranges::any_of(config_keys(), [&](const Key& other) {
    return std::ranges::count(other.conditions, key.name, &Key::Condition::selector) > 0;
  });
  return selects ? 2 : 3;
}

// As many nodes as the topology can have.
void fit_nodes(NetworkConfig& network) {
  if (network.topology == "hypercube") network.nodes = 16;
  if (network.topology == "torus") {
    network.nodes = network.rows.value_or(2) * network.columns.value_or(3);
  }
  if (network.topology == "base_graph") network.nodes = network.peers.value_or(1) + 1;
  if (network.topology == "random_regular" && network.degree) network.nodes = 2 * *network.degree;
}

// Faults and a codec only where they go with each other, with the network and with the method.
void fit_conditions(ExperimentConfig& config) {
  const AlgorithmKind& kind = *find_algorithm_kind(config.algorithm.kind);
  const NetworkConfig& network = config.network;
  FaultOptions& faults = config.faults;
  const bool changing = network.names_sequence() || network.file.extension() == ".csv";
  const bool packed = kind.vectors_an_edge > 0 && !changing &&
                      (!kind.faithful_letters || keeps_most_of_a_number(config.compression));
  if (!packed) config.compression = {};
  if (config.compression.codec != "none")
    faults.drop = faults.pause = faults.crash = faults.late = 0;
  if (kind.vectors_a_server > 0) faults.crash = faults.late = 0;
  if (!faults.any()) faults = {};
  if (config.compression.codec == "none") config.compression = {};
}

// Sets keys of a single run at random, and only where they mean something.
ExperimentConfig some_config() {
  ExperimentConfig config;
  for (const int now : {0, 1, 2, 3}) {
    for (const Key& key : config_keys()) {
      if (turn(key) != now || key.name == "run.repetitions" || key.section() == "tune") continue;
      if (!why_inapplicable(key, config).empty()) continue;
      if (key.required || *rc::gen::arbitrary<bool>()) key.assign(config, some_value(key));
    }
  }
  if (!find_algorithm_kind(config.algorithm.kind)->local_steps)
    config.algorithm.options["local_steps"] = 1;
  if (config.network.file.empty()) fit_nodes(config.network);
  fit_conditions(config);
  const bool sized_by_a_file =
      config.problem.options.contains("file") || !config.network.file.empty();
  if (sized_by_a_file && *rc::gen::arbitrary<bool>()) config.network.nodes.reset();
  fill_in_defaults(config);
  return config;
}

RC_GTEST_PROP(ResolvedConfig, ReadsBackAsTheSameConfig, ()) {
  const ExperimentConfig config = some_config();
  const std::string text = to_toml(config);
  RC_LOG() << text;
  RC_ASSERT(read_back(text) == config);
}

TEST(ResolvedConfig, WritesEveryKeyThatMeansSomethingAndNoOther) {
  ExperimentConfig config;
  config.algorithm.kind = "k-gt";
  config.algorithm.options["local_rate"] = 1e-3;
  config.run.rounds = 250;
  std::string without_docs;
  std::istringstream lines(to_toml(config));
  for (std::string line; std::getline(lines, line);) {
    line.resize(line.find(" #") == std::string::npos ? line.size() : line.find(" #"));
    line.resize(line.find_last_not_of(' ') + 1);
    without_docs += line + "\n";
  }
  EXPECT_EQ(without_docs, R"([problem]
kind = "least_squares"
dim = 50
heterogeneity = 1.0
noise = 1.0

[network]
nodes = 10
topology = "ring"
weights = "metropolis"

[algorithm]
kind = "k-gt"
local_steps = 1
local_rate = 0.001
communication_rate = 1.0
initial_correction = "zero"

[schedule]
kind = "constant"
warmup_rounds = 0

[run]
rounds = 250
seed = 1
repetitions = 1
evaluate_every = 1
drift = false
on_divergence = "stop"
divergence_factor = 1000000.0

[checkpoint]
every_minutes = 10.0
keep = 2
)");
}

TEST(ResolvedConfig, KeepsTheLastBitOfANumber) {
  ExperimentConfig config;
  config.algorithm.kind = "gt";
  config.run.rounds = 1;
  for (const double rate : {0.1, 1.0 / 3.0, 5e-324, 1.7976931348623157e308, 1e22, 123456789.0}) {
    config.algorithm.options["local_rate"] = rate;
    fill_in_defaults(config);
    EXPECT_EQ(plan_experiment(to_toml(config), "x", "/").runs().at(0)->config, config) << rate;
  }
}

TEST(Schema, DescribesEveryKeyOnceAndInWords) {
  std::set<std::string> names;
  for (const Key& key : config_keys()) {
    EXPECT_TRUE(names.insert(key.name).second) << key.name;
    EXPECT_FALSE(key.doc.empty()) << key.name;
    EXPECT_EQ(find_key(key.name), &key);
    for (const Key::Condition& condition : key.conditions) {
      EXPECT_NE(find_key(condition.selector), nullptr) << key.name;
      EXPECT_FALSE(condition.values.empty()) << key.name;
    }
  }
}

TEST(Schema, HasDefaultsThatPassItsOwnChecks) {
  for (const Key& key : config_keys()) {
    const std::optional<Value> value = key.value_in(ExperimentConfig{});
    if (value && !key.required) {
      EXPECT_EQ(key.fault(*value), "") << key.name;
    }
  }
}

}  // namespace
}  // namespace driftless
