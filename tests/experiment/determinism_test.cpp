// One seed gives one set of bits, however many threads share the work.
#include <gtest/gtest.h>

#include <bit>

#include "driftless/algorithm/registry.hpp"
#include "tests/support/executed.hpp"

namespace driftless::testing {
namespace {

// FNV-1a over 64-bit words.
class Hash {
 public:
  void add(double value) {
    state_ = (state_ ^ std::bit_cast<std::uint64_t>(value)) * 0x100000001b3;
  }
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325;
};

// Hashes all models at the end and every figure on the way, but the time.
class Hasher final : public RunObserver {
 public:
  explicit Hasher(std::uint64_t& out) : out_(out) {}

  void evaluated(const Metrics& row) override {
    for (const double figure :
         {row.loss, *row.suboptimality, *row.grad_norm2, row.consensus, *row.heterogeneity,
          row.correction_error.value_or(-1), row.drift.value_or(-1)}) {
      hash_.add(figure);
    }
  }
  void ended(const RunEnd& end) override {
    for (const Numbers& numbers : {end.models, end.mean_model}) {
      for (const double x : std::get<std::span<const double>>(numbers)) hash_.add(x);
    }
    out_ = hash_.value();
  }

 private:
  Hash hash_;
  std::uint64_t& out_;
};

// Every method. Models are long enough that a mix is cut into several blocks.
ExperimentPlan every_method() {
  std::vector<ExperimentConfig> configs;
  for (const AlgorithmKind& kind : algorithm_kinds()) {
    ExperimentConfig& config = configs.emplace_back();
    config.problem.options["dim"] = 9000;
    config.network.nodes = 9;
    config.network.topology = "torus";
    config.algorithm.kind = kind.name;
    Settings& options = config.algorithm.options;
    options["local_steps"] = kind.local_steps ? 3 : 1;
    options["local_rate"] = 0.01;
    if (kind.has("initial_correction")) options["initial_correction"] = "gradient";
    if (kind.has("global_every")) options["global_every"] = 2;
    config.run.rounds = 4;
    config.run.evaluate_every = 2;
    config.run.drift = true;
  }
  return plan_of(configs);
}

std::vector<std::uint64_t> hashes(const ExperimentPlan& plan, int threads) {
  std::vector<std::uint64_t> found(plan.runs().size());
  execute_plan(plan, threads,
               [&](std::size_t run) { return std::make_unique<Hasher>(found[run]); });
  return found;
}

TEST(Determinism, EveryMethodGivesTheSameBitsOnAnyNumberOfThreads) {
  const ExperimentPlan plan = every_method();
  const auto expected = hashes(plan, 1);
  for (const int threads : {2, 3, 8}) {
    const auto found = hashes(plan, threads);
    for (std::size_t k = 0; k < plan.runs().size(); ++k) {
      EXPECT_EQ(found[k], expected[k])
          << plan.runs()[k]->config.algorithm.kind << " on " << threads << " threads";
    }
  }
}

// Alone, a run has all threads for its nodes; in a sweep it shares them.
TEST(Determinism, ARunGivesTheSameBitsAloneAndInASweep) {
  const ExperimentPlan plan = every_method();
  const auto together = hashes(plan, 2);
  for (std::size_t k = 0; k < plan.runs().size(); ++k) {
    EXPECT_EQ(hashes(plan_of({plan.runs()[k]->config}), 2)[0], together[k])
        << plan.runs()[k]->config.algorithm.kind;
  }
}

TEST(Determinism, AnotherSeedGivesOtherBits) {
  ExperimentPlan plan = every_method();
  const auto one = hashes(plan, 2);
  for (PlannedRun& run : plan.combinations.front().runs) run.config.run.seed = 2;
  const auto other = hashes(plan, 2);
  for (std::size_t k = 0; k < plan.runs().size(); ++k) EXPECT_NE(one[k], other[k]);
}

}  // namespace
}  // namespace driftless::testing
