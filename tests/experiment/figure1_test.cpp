// The paper's synthetic figure: where each method settles on a ring of ten nodes, with noise and
// with different local optima. The levels are exact: mean and covariance of the models follow
// linear recursions on these quadratics, and their fixed points give
// E[f(x̄) − f*] = N + d·ζ²·B.
#include <gtest/gtest.h>

#include <thread>

#include "tests/support/executed.hpp"

namespace driftless::testing {
namespace {

constexpr Index dim = 50;
constexpr double heterogeneities[] = {0, 1, 10, 100};

struct Level {
  std::string_view kind;
  double noise;      // N
  double bias;       // B
  double consensus;  // (1/n) Σ E‖x_i − x̄‖² at ζ² = 0
  bool lazy = false;

  double at(double heterogeneity) const {
    return noise + static_cast<double>(dim) * heterogeneity * bias;
  }
  // One run of a method without bias has a relative deviation of 0.1; with bias 0.25, since b is
  // redrawn and the bias is quadratic in it. These leave the bands at five deviations of a mean.
  int repetitions() const { return bias > 0 ? 10 : 4; }
  double band() const { return bias > 0 ? 0.4 : 0.25; }
};

struct Settled {
  double suboptimality = 0;
  double consensus = 0;
};

// The means over the last fifth of a run.
class Tail final : public RunObserver {
 public:
  Tail(Round rounds, Settled& out) : rounds_(rounds), out_(out) {}

  void evaluated(const Metrics& row) override {
    if (row.round * 5 < rounds_ * 4) return;
    sum_.suboptimality += *row.suboptimality;
    sum_.consensus += row.consensus;
    ++count_;
  }
  void ended(const RunEnd&) override {
    out_ = {sum_.suboptimality / count_, sum_.consensus / count_};
  }

 private:
  Round rounds_;
  Settled& out_;
  Settled sum_;
  int count_ = 0;
};

ExperimentConfig config_of(const Level& level, double heterogeneity, Step local_steps, int seed) {
  ExperimentConfig config;
  config.problem.options["dim"] = dim;
  config.problem.options["heterogeneity"] = heterogeneity;
  config.algorithm.kind = level.kind;
  if (level.lazy) config.algorithm.options["lazy"] = true;
  config.algorithm.options["local_steps"] = local_steps;
  config.algorithm.options["local_rate"] = 1e-3;
  config.run.rounds = 5000 / local_steps;
  config.run.evaluate_every = 20 / local_steps;
  config.run.seed = static_cast<std::uint64_t>(seed);
  return config;
}

// settled[level][heterogeneity], the mean over the repetitions.
std::vector<std::vector<Settled>> settle(std::span<const Level> levels, Step local_steps) {
  std::vector<ExperimentConfig> configs;
  for (const Level& level : levels) {
    for (const double heterogeneity : heterogeneities) {
      for (int seed = 1; seed <= level.repetitions(); ++seed) {
        configs.push_back(config_of(level, heterogeneity, local_steps, seed));
      }
    }
  }
  std::vector<Settled> tails(configs.size());
  const int threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  execute_plan(plan_of(configs), threads, [&](std::size_t run) {
    return std::make_unique<Tail>(configs[run].run.rounds, tails[run]);
  });

  std::vector<std::vector<Settled>> settled;
  auto tail = tails.begin();
  for (const Level& level : levels) {
    auto& row = settled.emplace_back(std::size(heterogeneities));
    for (Settled& mean : row) {
      for (int seed = 1; seed <= level.repetitions(); ++seed, ++tail) {
        mean.suboptimality += tail->suboptimality / level.repetitions();
        mean.consensus += tail->consensus / level.repetitions();
      }
    }
  }
  return settled;
}

void expect_levels(std::span<const Level> levels, Step local_steps) {
  const auto settled = settle(levels, local_steps);
  for (std::size_t k = 0; k < levels.size(); ++k) {
    const Level& level = levels[k];
    SCOPED_TRACE(std::string(level.kind) + (level.lazy ? " (lazy)" : ""));
    for (std::size_t h = 0; h < std::size(heterogeneities); ++h) {
      const double expected = level.at(heterogeneities[h]);
      EXPECT_NEAR(settled[k][h].suboptimality, expected, level.band() * expected + 1e-11)
          << "heterogeneity " << heterogeneities[h];
    }
    EXPECT_NEAR(settled[k][0].consensus, level.consensus, 0.1 * level.consensus + 1e-11);
  }
}

TEST(Figure1, SettlesAtItsLevelsWithOneLocalStep) {
  const Level levels[] = {{"d-sgd", 2.54e-5, 6.09e-7, 7.3e-7},
                          {"large-batch-d-sgd", 2.54e-5, 6.09e-7, 7.3e-7},
                          {"gt", 2.51e-5, 0, 5.2e-7},
                          {"k-gt", 2.51e-5, 0, 5.2e-7},
                          {"periodical-gt", 2.51e-5, 0, 5.2e-7},
                          {"periodical-gt-full", 0, 0, 0},  // full gradients only
                          {"large-batch-gt", 2.51e-5, 0, 5.2e-7},
                          {"scaffold", 2.51e-5, 0, 0},
                          {"fedavg", 2.51e-5, 0, 0},
                          {"d2", 2.51e-5, 0, 7.3e-6},
                          {"exact-diffusion", 2.51e-5, 0, 1.9e-6},
                          {"led", 2.51e-5, 0, 7.3e-6},
                          {"led", 2.51e-5, 0, 1.9e-6, true}};
  expect_levels(levels, 1);
}

TEST(Figure1, SettlesAtItsLevelsWithTwentyLocalSteps) {
  const Level levels[] = {{"d-sgd", 3.04e-5, 1.70e-4, 1.1e-5},
                          {"large-batch-d-sgd", 3.07e-5, 1.46e-4, 1.2e-5},
                          {"k-gt", 2.70e-5, 0, 8.6e-6},
                          {"periodical-gt", 6.27e-5, 0, 1.43e-4},
                          {"periodical-gt-full", 2.72e-5, 0, 1.2e-5},
                          {"large-batch-gt", 2.77e-5, 0, 9.2e-6},
                          {"scaffold", 2.51e-5, 0, 0},
                          {"fedavg", 2.57e-5, 2.13e-6, 0},
                          {"led", 2.57e-5, 0, 1.5e-5},
                          {"led", 2.65e-5, 0, 2.2e-5, true}};
  expect_levels(levels, 20);
}

// Only one of twenty gradients reaches the neighbours, so its noise does not average out.
TEST(Figure1, PeriodicalGtSettlesTwoToThreeTimesAsHighAsKGt) {
  const Level levels[] = {{"k-gt", 2.70e-5, 0, 8.6e-6}, {"periodical-gt", 6.27e-5, 0, 1.43e-4}};
  const auto settled = settle(levels, 20);
  for (std::size_t h = 0; h < std::size(heterogeneities); ++h) {
    const double ratio = settled[1][h].suboptimality / settled[0][h].suboptimality;
    EXPECT_GT(ratio, 1.8) << "heterogeneity " << heterogeneities[h];
    EXPECT_LT(ratio, 3.0) << "heterogeneity " << heterogeneities[h];
  }
}

}  // namespace
}  // namespace driftless::testing
