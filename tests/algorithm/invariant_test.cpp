// What every method keeps, whatever the instance.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numeric>

#include "tests/support/recording_problem.hpp"
#include "tests/support/trial.hpp"

namespace driftless::testing {
namespace {

constexpr Round checked_rounds = 6;

// An instance that the method can run: its own start and number of steps.
Instance fit(Instance instance, const AlgorithmKind& kind) {
  if (!kind.local_steps) instance.local_steps = 1;
  if (!kind.communication_rate) instance.communication_rate = 1;
  if (!kind.has("initial_correction")) instance.gradient_start = false;
  if (kind.name == "scaffold") instance.distinct_starts = false;
  return instance;
}

rc::Gen<AlgorithmKind> any_kind() {
  return rc::gen::map(rc::gen::inRange<std::size_t>(0, algorithm_kinds().size()),
                      [](std::size_t k) { return algorithm_kinds()[k]; });
}

// Any method, with an instance for it.
struct Case {
  AlgorithmKind kind;
  Instance instance;
};
Case any_case() {
  const AlgorithmKind kind = *any_kind();
  RC_LOG() << kind.name << '\n';
  return {kind, fit(*any_instance(), kind)};
}

// In units of what a correction moves a model by in a round.
void check_corrections_sum_to_zero(std::string_view kind, const Instance& instance) {
  const auto problem = instance.problem();
  const AlgorithmOptions options = instance.options();
  Trial trial(kind, *problem, instance.mixing(), options);
  for (Round t = 0; t < checked_rounds; ++t) {
    const Eigen::MatrixXd moves = options.local_steps * options.local_rate * trial.corrections();
    RC_ASSERT(moves.colwise().sum().cwiseAbs().maxCoeff() < rounding);
    trial.round(t);
  }
}

RC_GTEST_PROP(Invariant, CorrectionsOfKGtSumToZero, (const Instance& instance)) {
  check_corrections_sum_to_zero("k-gt", instance);
}
RC_GTEST_PROP(Invariant, CorrectionsOfPeriodicalGtFullSumToZero, (const Instance& instance)) {
  check_corrections_sum_to_zero("periodical-gt-full", instance);
}
RC_GTEST_PROP(Invariant, ControlVariatesOfScaffoldSumToTheServers, ()) {
  check_corrections_sum_to_zero("scaffold", *any_instance_with_common_start());
}
RC_GTEST_PROP(Invariant, DualsOfLedSumToZero, (const Instance& instance)) {
  check_corrections_sum_to_zero("led", instance);
}
RC_GTEST_PROP(Invariant, TrackersOfGtSumToTheGradients, (Instance instance)) {
  instance.local_steps = 1;
  check_corrections_sum_to_zero("gt", instance);
}
RC_GTEST_PROP(Invariant, TrackersOfPeriodicalGtSumToTheGradients, (const Instance& instance)) {
  check_corrections_sum_to_zero("periodical-gt", instance);
}
RC_GTEST_PROP(Invariant, TrackersOfLargeBatchGtSumToTheGradients, (const Instance& instance)) {
  check_corrections_sum_to_zero("large-batch-gt", instance);
}

RC_GTEST_PROP(Invariant, TheAverageMovesByTheMeanOfTheGradients, ()) {
  const auto [kind, instance] = any_case();
  const auto exact = instance.problem();
  const RecordingProblem problem(*exact);
  const AlgorithmOptions options = instance.options();
  const double rate = options.local_rate * options.communication_rate;
  Trial trial(kind.name, problem, instance.mixing(), options);
  Vector<double> average = trial.models().colwise().mean();
  for (Round t = 0; t < checked_rounds; ++t) {
    trial.round(t);
    average -= rate * problem.mean_gradient_sum(t);
    RC_ASSERT(difference(trial.models().colwise().mean().transpose(), average) < rounding);
  }
}

RC_GTEST_PROP(Invariant, ShiftingTheProblemShiftsTheModels, ()) {
  const auto [kind, instance] = any_case();
  LeastSquaresData data = instance.data();
  const Vector<double> shift = Vector<double>::LinSpaced(instance.dim, -1.5, 2.5);
  for (std::size_t i = 0; i < data.A.size(); ++i) data.b[i] += data.A[i] * shift;
  for (auto& start : data.x0) start += shift;
  const auto problem = instance.problem();
  const auto shifted = make_least_squares<double>(data, instance.noise);
  Trial here(kind.name, *problem, instance.mixing(), instance.options());
  Trial there(kind.name, *shifted, instance.mixing(), instance.options());
  for (Round t = 0; t < checked_rounds; ++t) {
    here.round(t);
    there.round(t);
    RC_ASSERT(difference(here.models().rowwise() + shift.transpose(), there.models()) < rounding);
  }
}

RC_GTEST_PROP(Invariant, RenamingTheNodesRenamesTheModels, ()) {
  auto [kind, instance] = any_case();
  instance.noise = 0;  // samples belong to the names
  const NodeId n = instance.nodes;
  const NodeId stride = *rc::gen::suchThat(rc::gen::inRange<NodeId>(1, n + 1),
                                           [&](NodeId s) { return std::gcd(s, n) == 1; });
  const auto old_name = [&](NodeId i) { return static_cast<std::size_t>((i * stride + 1) % n); };

  const LeastSquaresData data = instance.data();
  const Eigen::MatrixXd W = instance.mixing().to_dense();
  LeastSquaresData renamed_data;
  Eigen::MatrixXd renamed_W(n, n);
  for (NodeId i = 0; i < n; ++i) {
    renamed_data.A.push_back(data.A[old_name(i)]);
    renamed_data.b.push_back(data.b[old_name(i)]);
    if (instance.distinct_starts) renamed_data.x0.push_back(data.x0[old_name(i)]);
    for (NodeId j = 0; j < n; ++j) {
      renamed_W(i, j) = W(static_cast<Index>(old_name(i)), static_cast<Index>(old_name(j)));
    }
  }
  if (!instance.distinct_starts) renamed_data.x0 = data.x0;

  const auto problem = instance.problem();
  const auto renamed_problem = make_least_squares<double>(renamed_data, 0);
  Trial trial(kind.name, *problem, instance.mixing(), instance.options());
  Trial renamed(kind.name, *renamed_problem, MixingMatrix::from_dense(renamed_W),
                instance.options());
  for (Round t = 0; t < checked_rounds; ++t) {
    trial.round(t);
    renamed.round(t);
    Eigen::MatrixXd expected(n, instance.dim);
    for (NodeId i = 0; i < n; ++i) {
      expected.row(i) = trial.models().row(static_cast<Index>(old_name(i)));
    }
    RC_ASSERT(difference(expected, renamed.models()) < rounding);
  }
}

// Of K steps at rate η_c, followed η_s of the way; large batches take one step of K times the rate.
RC_GTEST_PROP(Invariant, EqualNodesWithoutNoiseTakePlainGradientSteps, ()) {
  auto [kind, instance] = any_case();
  instance.noise = 0;
  instance.distinct_starts = false;
  LeastSquaresData data = instance.data();
  for (std::size_t i = 1; i < data.A.size(); ++i) {
    data.A[i] = data.A[0];
    data.b[i] = data.b[0];
  }
  const auto problem = make_least_squares<double>(data, 0);
  const AlgorithmOptions options = instance.options();
  const bool large_batch = kind.name.starts_with("large-batch");
  const Step steps = large_batch ? 1 : options.local_steps;
  const double rate = large_batch ? options.local_steps * options.local_rate : options.local_rate;

  Trial trial(kind.name, *problem, instance.mixing(), options);
  Vector<double> x = data.x0[0];
  for (Round t = 0; t < checked_rounds; ++t) {
    trial.round(t);
    Vector<double> y = x;
    for (Step k = 0; k < steps; ++k) {
      y -= rate * (data.A[0].transpose() * (data.A[0] * y - data.b[0]));
    }
    x += options.communication_rate * (y - x);
    RC_ASSERT(difference(x.transpose().replicate(instance.nodes, 1), trial.models()) < rounding);
  }
}

RC_GTEST_PROP(Invariant, WithoutACommunicationRateModelsOnlyMix, (Instance instance)) {
  instance.communication_rate = 0;
  const auto kind =
      *rc::gen::element<std::string>("k-gt", "d-sgd", "gt", "periodical-gt", "periodical-gt-full",
                                     "large-batch-gt", "large-batch-d-sgd");
  instance = fit(instance, *find_algorithm_kind(kind));
  const auto problem = instance.problem();
  Trial trial(kind, *problem, instance.mixing(), instance.options());
  Eigen::MatrixXd X = trial.models();
  for (Round t = 0; t < checked_rounds; ++t) {
    trial.round(t);
    X = instance.mixing().to_dense() * X;
    RC_ASSERT(difference(X, trial.models()) < rounding);
  }
}

}  // namespace
}  // namespace driftless::testing
