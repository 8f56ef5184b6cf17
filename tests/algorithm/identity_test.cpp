// Methods that coincide where theory says so: the same samples give the same models.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/support/trial.hpp"

namespace driftless::testing {
namespace {

// Two methods on one instance, each with its own change of the options.
using Change = void (*)(AlgorithmOptions&);
void unchanged(AlgorithmOptions&) {}

double apart(const Instance& instance, std::string_view first, Change change_first,
             std::string_view second, Change change_second) {
  const auto problem = instance.problem();
  AlgorithmOptions of_first = instance.options();
  AlgorithmOptions of_second = of_first;
  change_first(of_first);
  change_second(of_second);
  return apart(Trial(first, *problem, instance.mixing(), of_first),
               Trial(second, *problem, instance.mixing(), of_second));
}
double apart(const Instance& instance, std::string_view first, std::string_view second,
             Change change = unchanged) {
  return apart(instance, first, change, second, change);
}

Instance complete(Instance instance) {
  instance.family = "complete";
  instance.weights = Weights::metropolis;
  return instance;
}

RC_GTEST_PROP(Identity, KGtOfOneStepIsGradientTracking, (Instance instance)) {
  instance.local_steps = 1;
  RC_ASSERT(apart(instance, "k-gt", "gt") < rounding);
}

RC_GTEST_PROP(Identity, PeriodicalGtOfOneStepIsGradientTracking, (Instance instance)) {
  instance.local_steps = 1;
  RC_ASSERT(apart(instance, "periodical-gt", "gt") < rounding);
}

RC_GTEST_PROP(Identity, PeriodicalGtNeedsNoFullGradientsWithoutNoise, (Instance instance)) {
  instance.noise = 0;
  RC_ASSERT(apart(instance, "periodical-gt-full", "periodical-gt") < rounding);
}

RC_GTEST_PROP(Identity, LargeBatchGtWithoutNoiseIsGtWithKTimesTheRate, (Instance instance)) {
  instance.noise = 0;
  const auto one_longer_step = [](AlgorithmOptions& options) {
    options.local_rate *= options.local_steps;
    options.local_steps = 1;
  };
  RC_ASSERT(apart(instance, "large-batch-gt", unchanged, "gt", one_longer_step) < rounding);
}

RC_GTEST_PROP(Identity, LargeBatchDSgdOfOneSampleIsDSgdOfOneStep, (Instance instance)) {
  instance.local_steps = 1;
  RC_ASSERT(apart(instance, "large-batch-d-sgd", "d-sgd") < rounding);
}

RC_GTEST_PROP(Identity, KGtOnACompleteGraphIsScaffold, ()) {
  const Instance instance = *any_instance_with_common_start();
  RC_ASSERT(apart(complete(instance), "k-gt", "scaffold") < rounding);
}

RC_GTEST_PROP(Identity, KGtOnACompleteGraphIsLed, ()) {
  Instance instance = *any_instance_with_common_start();
  instance.communication_rate = 1;
  instance.gradient_start = false;
  RC_ASSERT(apart(complete(instance), "k-gt", "led") < rounding);
}

RC_GTEST_PROP(Identity, DSgdOnACompleteGraphIsFedAvg, (const Instance& instance)) {
  RC_ASSERT(apart(complete(instance), "d-sgd", "fedavg") < rounding);
}

RC_GTEST_PROP(Identity, LedOfOneStepIsD2, (Instance instance, bool lazy)) {
  instance.local_steps = 1;
  instance.communication_rate = 1;
  RC_ASSERT(apart(instance, "led", "d2",
                  lazy ? [](AlgorithmOptions& options) { options.own["lazy"] = true; }
                       : unchanged) < rounding);
}

RC_GTEST_PROP(Identity, ExactDiffusionIsLazyD2, (Instance instance)) {
  instance.local_steps = 1;
  const auto lazy = [](AlgorithmOptions& options) { options.own["lazy"] = true; };
  RC_ASSERT(apart(instance, "exact-diffusion", unchanged, "d2", lazy) < rounding);
}

RC_GTEST_PROP(Identity, ExactDiffusionIsLazyLedOfOneStep, (Instance instance)) {
  instance.local_steps = 1;
  instance.communication_rate = 1;
  const auto lazy = [](AlgorithmOptions& options) { options.own["lazy"] = true; };
  RC_ASSERT(apart(instance, "exact-diffusion", unchanged, "led", lazy) < rounding);
}

RC_GTEST_PROP(Identity, GossipPgaThatAveragesEveryRoundIsFedAvg, (const Instance& instance)) {
  RC_ASSERT(apart(instance, "gossip-pga", "fedavg",
                  [](AlgorithmOptions& options) { options.own["global_every"] = 1; }) == 0);
}

RC_GTEST_PROP(Identity, GossipPgaThatNeverAveragesIsDSgd, (const Instance& instance)) {
  RC_ASSERT(apart(instance, "gossip-pga", "d-sgd",
                  [](AlgorithmOptions& options) { options.own["global_every"] = 100; }) == 0);
}

// With local steps s times as short and followed 1/s times as far, the K gradients move to one
// point: what is left of their spread is proportional to s.
RC_GTEST_PROP(Identity, KGtOfTinyLocalStepsIsLargeBatchGt, (Instance instance)) {
  instance.gradient_start = false;  // there K-GT takes one sample where Large-batch GT takes K
  const auto problem = instance.problem();
  const auto error = [&](double s) {
    AlgorithmOptions tiny = instance.options();
    tiny.local_rate *= s;
    tiny.communication_rate /= s;
    return apart(Trial("k-gt", *problem, instance.mixing(), tiny),
                 Trial("large-batch-gt", *problem, instance.mixing(), instance.options()));
  };
  const double coarse = error(1e-3);
  RC_ASSERT(coarse < 1e-2);
  // The direction is a difference divided by the rate: its roundings grow to 1e-16 / 1e-4.
  RC_ASSERT(std::abs(error(1e-4) - coarse / 10) < 0.01 * coarse + 1e-10);
}

}  // namespace
}  // namespace driftless::testing
