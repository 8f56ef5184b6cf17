// Where methods end without noise, on the synthetic problem.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "driftless/graph/families.hpp"
#include "tests/support/trial.hpp"

namespace driftless::testing {
namespace {

constexpr NodeId nodes = 6;

std::unique_ptr<Problem<double>> quadratics() {
  return make_synthetic_least_squares<double>(
      {.nodes = nodes, .dim = 4, .heterogeneity = 10, .noise = 0, .seed = 3});
}

MixingMatrix mixing(const std::string& family) {
  return make_mixing(make_graph({.family = family, .nodes = nodes}), Weights::metropolis);
}

// Rates that suit the largest curvature, L = n.
AlgorithmOptions options(Step local_steps, bool lazy = false) {
  return {.local_steps = local_steps,
          .local_rate = 0.15 / (local_steps * nodes),
          .communication_rate = 1,
          .own = {{"lazy", lazy}},
          .schedule = {},
          .seed = 1};
}

Eigen::MatrixXd everywhere(const Vector<double>& x) { return x.transpose().replicate(nodes, 1); }

struct Method {
  std::string_view kind;
  Step local_steps;
  bool lazy = false;
};
void PrintTo(const Method& method, std::ostream* stream) {
  *stream << method.kind << ", K = " << method.local_steps << (method.lazy ? ", lazy" : "");
}

class Unbiased : public ::testing::TestWithParam<Method> {};

TEST_P(Unbiased, ConvergesLinearlyToTheOptimum) {
  const auto [kind, local_steps, lazy] = GetParam();
  const auto problem = quadratics();
  const Eigen::MatrixXd optimum = everywhere(problem->optimum()->point);
  for (const char* family : {"ring", "path", "star", "complete"}) {
    Trial trial(kind, *problem, mixing(family), options(local_steps, lazy));
    double error = difference(optimum, trial.models());
    for (Round t = 0; t < 2400; ++t) {
      trial.round(t);
      if ((t + 1) % 200 != 0) continue;
      const double now = difference(optimum, trial.models());
      EXPECT_LT(now, std::max(0.5 * error, 1e-12)) << family << ", round " << t + 1;
      error = now;
    }
    EXPECT_LT(error, 1e-12) << family;
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, Unbiased,
                         ::testing::Values(Method{"gt", 1}, Method{"k-gt", 1}, Method{"k-gt", 4},
                                           Method{"periodical-gt", 4},
                                           Method{"periodical-gt-full", 4},
                                           Method{"large-batch-gt", 4},
                                           Method{"exact-diffusion", 1}, Method{"d2", 1, true},
                                           Method{"led", 4, true}, Method{"scaffold", 4}));

TEST(Limit, CorrectionsOfKGtBecomeTheNegativeGradientsAtTheOptimum) {
  const auto problem = quadratics();
  Trial trial("k-gt", *problem, mixing("ring"), options(4));
  for (Round t = 0; t < 2400; ++t) trial.round(t);
  const Eigen::MatrixXd at_optimum =
      gradients(*problem, everywhere(problem->optimum()->point), 1, 0, 0);
  EXPECT_GT(at_optimum.cwiseAbs().maxCoeff(), 0.1);
  EXPECT_LT(difference(-at_optimum, trial.corrections()), 1e-12);
}

// K steps at node i shrink the distance to its own optimum x_i* by P_i = (1 − ηh_i)^K, so the
// models X that a round maps to themselves solve X = W(PX + (I − P)X*).
TEST(Limit, DSgdEndsAtTheFixedPointOfItsRound) {
  const auto problem = quadratics();
  const AlgorithmOptions chosen = options(4);
  const Eigen::MatrixXd W = mixing("ring").to_dense();
  const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(nodes, nodes);
  Vector<double> h(nodes);
  for (NodeId i = 0; i < nodes; ++i) h[i] = (i + 1.0) * (i + 1.0) / nodes;
  const Eigen::MatrixXd P =
      (1 - chosen.local_rate * h.array()).pow(chosen.local_steps).matrix().asDiagonal();
  const Eigen::MatrixXd at_zero =
      gradients(*problem, Eigen::MatrixXd::Zero(nodes, problem->dim()), 1, 0, 0);
  const Eigen::MatrixXd local_optima = h.cwiseInverse().asDiagonal() * -at_zero;
  const Eigen::MatrixXd expected = (one - W * P).partialPivLu().solve(W * (one - P) * local_optima);

  Trial trial("d-sgd", *problem, mixing("ring"), chosen);
  for (Round t = 0; t < 2400; ++t) trial.round(t);
  EXPECT_LT(difference(expected, trial.models()), 1e-12);
  EXPECT_GT(difference(everywhere(problem->optimum()->point), trial.models()), 1e-2) << "no bias";
}

}  // namespace
}  // namespace driftless::testing
