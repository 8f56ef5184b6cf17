#include "driftless/experiment/metrics.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/support/golden_algorithm.hpp"
#include "tests/support/trial.hpp"

namespace driftless::testing {
namespace {

TEST(Metrics, FollowTheGoldenOnesAlongEveryTrajectory) {
  for (const GoldenCase& c : golden().cases) {
    if (c.kind.empty()) continue;
    const GoldenProblem problem(c);
    LocalNetwork network(golden().mixing(c));
    const auto algorithm = make_golden_algorithm(c, problem, network);
    algorithm->start(starting_models(problem, network));
    for (Round t = 0; t <= c.rounds; ++t) {
      const Metrics row = evaluate<double>(problem, network, *algorithm, t, {});
      const GoldenCase::Metrics& expected = c.metrics[static_cast<std::size_t>(t)];
      EXPECT_NEAR(*row.suboptimality, expected.suboptimality, 1e-10 * (1 + expected.suboptimality));
      EXPECT_NEAR(*row.grad_norm2, expected.grad_norm2, 1e-10 * (1 + expected.grad_norm2));
      EXPECT_NEAR(row.consensus, expected.consensus, 1e-10 * (1 + expected.consensus));
      ASSERT_FALSE(HasFailure()) << c.name << ", round " << t;
      if (t < c.rounds) algorithm->round(t);
    }
  }
}

double mean_squared_norm(const Eigen::MatrixXd& rows) {
  return rows.rowwise().squaredNorm().mean();
}

RC_GTEST_PROP(Metrics, AreWhatTheirDefinitionsSay, ()) {
  const std::size_t k = *rc::gen::inRange<std::size_t>(0, algorithm_kinds().size());
  const AlgorithmKind& kind = algorithm_kinds()[k];
  Instance instance = *any_instance_with_common_start();
  if (!kind.local_steps) instance.local_steps = 1;
  const auto problem = instance.problem();
  Trial trial(kind.name, *problem, instance.mixing(), instance.options());
  for (Round t = 0; t < 3; ++t) trial.round(t);
  const Metrics row = evaluate<double>(*problem, trial.network(), trial.algorithm(), 3, {});

  const NodeId n = instance.nodes;
  const Vector<double> mean = trial.models().colwise().mean();
  Eigen::MatrixXd own(n, instance.dim);  // ∇f_i(x̄)
  double loss = 0;
  for (NodeId i = 0; i < n; ++i) {
    Vector<double> g(instance.dim);
    problem->full_gradient(i, mean, {}, g);
    own.row(i) = g.transpose();
    loss += problem->loss(i, mean) / n;
  }
  const Eigen::RowVectorXd all = own.colwise().mean();  // ∇f(x̄)
  own.rowwise() -= all;
  const auto agree = [](double a, double b) { return std::abs(a - b) < 1e-12 * (1 + std::abs(b)); };

  RC_ASSERT(row.round == 3);
  RC_ASSERT(row.gradients == trial.algorithm().gradients());
  RC_ASSERT(row.bytes_total == trial.network().traffic().total());
  RC_ASSERT(row.bytes_busiest == trial.network().traffic().busiest());
  RC_ASSERT(agree(row.loss, loss));
  RC_ASSERT(agree(*row.grad_norm2, all.squaredNorm()));
  RC_ASSERT(agree(row.consensus, mean_squared_norm(trial.models().rowwise() - mean.transpose())));
  RC_ASSERT(agree(*row.heterogeneity, mean_squared_norm(own)));
  Vector<double> c(instance.dim);
  RC_ASSERT(row.correction_error.has_value() == trial.algorithm().correction(0, c));
  if (row.correction_error) {
    RC_ASSERT(agree(*row.correction_error, mean_squared_norm(trial.corrections() + own)));
  }
}

TEST(Metrics, HaveACorrectionErrorForMethodsWithACorrection) {
  Instance instance;
  instance.nodes = 3;
  const auto problem = instance.problem();
  for (const AlgorithmKind& kind : algorithm_kinds()) {
    Trial trial(kind.name, *problem, instance.mixing(), instance.options());
    const Metrics row = evaluate<double>(*problem, trial.network(), trial.algorithm(), 0, {});
    const bool tracks = kind.has("initial_correction") || kind.name == "led" || kind.name == "d2" ||
                        kind.name == "exact-diffusion";
    EXPECT_EQ(row.correction_error.has_value(), tracks) << kind.name;
  }
}

}  // namespace
}  // namespace driftless::testing
