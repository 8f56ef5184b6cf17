#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "driftless/experiment/run.hpp"
#include "tests/support/trial.hpp"

namespace driftless::testing {
namespace {

struct Rowkeeper final : RunObserver {
  void evaluated(const Metrics& row) override { rows.push_back(row); }
  std::vector<Metrics> rows;
};

// (1/nK) Σ_i Σ_k ‖x_i^{(t)+k} − x̄‖² of the round that the trial is about to take: local steps
// descend along their gradients plus the method's correction.
double drift_of_next_round(const Trial& trial, bool moves, const Problem<double>& problem,
                           const AlgorithmOptions& options, Round t) {
  const Eigen::MatrixXd C = trial.corrections();
  Eigen::MatrixXd Y = trial.models();
  const Eigen::RowVectorXd mean = Y.colwise().mean();
  double sum = 0;
  for (Step k = 0; k < options.local_steps; ++k) {
    sum += (Y.rowwise() - mean).rowwise().squaredNorm().mean();
    if (moves) Y -= options.local_rate * (gradients(problem, Y, options.seed, t, k) + C);
  }
  return sum / options.local_steps;
}

RC_GTEST_PROP(Drift, IsTheMeanDistanceOfLocalStepsFromTheAverageTheyLeft, ()) {
  const std::size_t k = *rc::gen::inRange<std::size_t>(0, algorithm_kinds().size());
  const AlgorithmKind& kind = algorithm_kinds()[k];
  RC_LOG() << kind.name << '\n';
  Instance instance = *any_instance_with_common_start();
  if (!kind.local_steps) instance.local_steps = 1;
  const auto problem = instance.problem();
  const AlgorithmOptions options = instance.options();

  LocalNetwork network(instance.mixing());
  DriftMeter<double> meter(*problem);
  const auto algorithm = make_fitting<double>(kind.name, meter, network, options);
  Rowkeeper observer;
  run<double>(*algorithm, *problem, network, {.rounds = 5, .evaluate_every = 2},
              {.observers = {&observer}, .drift = &meter});

  Trial twin(kind.name, *problem, instance.mixing(), options);
  const bool moves = !kind.name.starts_with("large-batch");
  std::vector<double> expected;
  for (Round t = 0; t < 5; ++t) {
    expected.push_back(drift_of_next_round(twin, moves, *problem, options, t));
    twin.round(t);
  }
  RC_ASSERT(observer.rows.size() == 4U);
  RC_ASSERT(!observer.rows[0].drift.has_value());
  for (std::size_t row = 1; row < 4; ++row) {
    const double of_round = expected[static_cast<std::size_t>(observer.rows[row].round - 1)];
    RC_ASSERT(std::abs(*observer.rows[row].drift - of_round) < 1e-12 * (1 + of_round));
  }
  RC_ASSERT(difference(twin.models(), dense(algorithm->models())) == 0);
}

}  // namespace
}  // namespace driftless::testing
