// What methods keep on a network that changes, drops, delays, pauses and loses, or packs letters.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "driftless/base/parallel.hpp"
#include "tests/support/network_posts.hpp"
#include "tests/support/recording_problem.hpp"
#include "tests/support/trial.hpp"
#include "tests/support/weathered.hpp"

namespace driftless::testing {
namespace {

constexpr Round weathered_rounds = 8;

Trial start_weathered(const Weathered& w, const Problem<double>& problem) {
  return {w.kind, problem, w.conditions(), w.instance.options()};
}

// What the corrections of the members sum to, with the flows that are under way to them; and the
// largest number that went into it.
std::pair<Vector<double>, double> correction_sum(const Trial& trial, const Weathered& w) {
  const auto state = [&](std::string_view name) { return trial.state(name); };
  const AlgorithmKind& kind = *find_algorithm_kind(w.kind);
  Eigen::MatrixXd c;
  Vector<double> sum = under_way(trial.network(), w.instance.dim, -1);
  if (kind.faithful_letters) {  // y sums what mixing took, c and z what it brought
    c = state("y");
    sum = -sum;
  } else {
    c = kind.name.starts_with("k-gt") || kind.name == "periodical-gt-full"
            ? state("c")
            : Eigen::MatrixXd(state("z") - state("g"));
  }
  for (NodeId i = 0; i < w.instance.nodes; ++i) {
    if (trial.network().is_member(i)) sum += c.row(i).transpose();
  }
  return {sum, std::max(1.0, c.cwiseAbs().maxCoeff())};
}

RC_GTEST_PROP(Weathered, CorrectionsOfMembersSumToZeroWithTheFlowsUnderWay, ()) {
  const Weathered w = *any_weathered(methods_of_corrections());
  const auto problem = w.instance.problem();
  Trial trial = start_weathered(w, *problem);
  for (Round t = 0; t < weathered_rounds; ++t) {
    trial.round(t);
    const auto [sum, size] = correction_sum(trial, w);
    RC_ASSERT(sum.cwiseAbs().maxCoeff() < rounding * size);
  }
}

RC_GTEST_PROP(Weathered, TheAverageMovesByTheMeanOfTheDirections, ()) {
  const Weathered w = *any_weathered(methods_of_neighbours(),
                                     {.pauses = false, .crashes = false, .late_letters = false});
  const auto exact = w.instance.problem();
  const RecordingProblem problem(*exact);
  const AlgorithmOptions options = w.instance.options();
  Trial trial = start_weathered(w, problem);
  Vector<double> average = trial.models().colwise().mean();
  for (Round t = 0; t < weathered_rounds; ++t) {
    trial.round(t);
    average -= options.local_rate * options.communication_rate *
               problem.mean_gradient_sum(t, options.local_steps);
    RC_ASSERT(difference(trial.models().colwise().mean().transpose(), average) < rounding);
  }
}

// A paused node moves nothing, and late letters only move later: with what is under way.
RC_GTEST_PROP(Weathered, LateLettersAndPausesKeepTheAverageOfModelsThatOnlyMix, ()) {
  Weathered w = *any_weathered({"k-gt", "gt", "d-sgd"}, {.crashes = false});
  w.instance.communication_rate = 0;
  const auto problem = w.instance.problem();
  Trial trial = start_weathered(w, *problem);
  const Vector<double> before = trial.models().colwise().sum();
  for (Round t = 0; t < weathered_rounds; ++t) {
    trial.round(t);
    const Vector<double> after =
        trial.models().colwise().sum().transpose() + under_way(trial.network(), w.instance.dim, 0);
    RC_ASSERT(difference(before, after) < rounding);
  }
}

// F_ij + F_ji = 0 for what members had of each other, with what is on its way to either.
RC_GTEST_PROP(Weathered, EveryFlowHasItsOpposite, ()) {
  Weathered w = *any_weathered(methods_of_corrections(), {.codecs = false});
  if (w.faults.crash == 0) {
    w.faults.crash = 1e-9;  // the ledger is kept
    w.instance.gradient_start = false;
  }
  const auto problem = w.instance.problem();
  Trial trial = start_weathered(w, *problem);
  for (Round t = 0; t < weathered_rounds; ++t) {
    trial.round(t);
    std::map<std::pair<NodeId, NodeId>, Vector<double>> flows;
    const auto add = [&](NodeId to, NodeId from, double sign, const Vector<double>& flow) {
      const auto [sum, is_first] = flows.try_emplace(std::minmax(to, from), sign * flow);
      if (!is_first) sum->second += sign * flow;
    };
    double size = 1;
    const auto posts = posts_of(trial.network());
    for (NodeId i = 0; i < w.instance.nodes; ++i) {
      const NodePost& post = posts[static_cast<std::size_t>(i)];
      RC_ASSERT(trial.network().is_member(i) || (post.late.empty() && post.ledger.empty()));
      for (const auto& letter : post.late) add(i, letter.from, 1, letter.flows.back());
      for (const auto& [from, flow] : post.ledger) {
        RC_ASSERT(trial.network().is_member(from));
        add(i, from, 1, flow);
        size = std::max(size, flow.cwiseAbs().maxCoeff());
      }
    }
    for (const auto& [pair, sum] : flows) RC_ASSERT(sum.cwiseAbs().maxCoeff() < rounding * size);
  }
}

RC_GTEST_PROP(Weathered, ThreadsChangeNoBit, ()) {
  Weathered w = *any_weathered(methods_of_neighbours());
  const AlgorithmOptions options{.local_steps = w.instance.local_steps,
                                 .local_rate = 0.1 / (w.instance.local_steps * w.instance.nodes)};
  w.instance.dim = 1000;  // worth sharing
  const auto problem = make_synthetic_least_squares<double>(
      {.nodes = w.instance.nodes, .dim = w.instance.dim, .heterogeneity = 1, .noise = 0});
  std::vector<Eigen::MatrixXd> models;
  for (const int threads : {1, 2, 3, 8}) {
    on_threads(threads, [&] {
      Trial trial(w.kind, *problem, w.conditions(), options);
      for (Round t = 0; t < 4; ++t) trial.round(t);
      models.push_back(trial.models());
    });
    RC_ASSERT(models.back() == models.front());
  }
}

RC_GTEST_PROP(Weathered, ResumesBitForBit, ()) {
  std::vector<std::string> kinds = methods_of_neighbours();
  const Weathered w = *any_weathered(kinds);
  const Round killed = *rc::gen::inRange<Round>(1, weathered_rounds);
  const auto problem = w.instance.problem();
  Trial whole = start_weathered(w, *problem);
  for (Round t = 0; t < killed; ++t) whole.round(t);

  Trial resumed = start_weathered(w, *problem);
  resumed.algorithm().resume(killed, whole.algorithm().gradients(), [&](const auto& restored) {
    const auto saved = whole.algorithm().state();
    for (std::size_t k = 0; k < saved.size(); ++k) *restored[k].rows = *saved[k].rows;
  });
  resumed.network().resume(killed, whole.network().state<double>());
  for (Round t = killed; t < killed + weathered_rounds; ++t) {
    whole.round(t);
    resumed.round(t);
    for (const auto& each : whole.algorithm().state()) {
      RC_ASSERT(whole.state(each.name) == resumed.state(each.name));
    }
  }
}

// Noise is drawn by the name of a sample, so it is enough that a node takes the samples that it
// takes in fair weather; or some of them, where it is away or slow.
RC_GTEST_PROP(Weathered, FaultsChangeNoSample, ()) {
  Weathered w = *any_weathered(methods_of_neighbours());
  const bool all_work = w.faults.pause == 0 && w.faults.crash == 0 && w.faults.slow == 0;
  w.faults.seed = w.instance.seed;
  const auto problem = w.instance.problem();
  const RecordingProblem fair(*problem);
  const RecordingProblem weathered(*problem);
  Trial in_fair_weather(w.kind, fair, w.instance.mixing(), w.instance.options());
  Trial trial = start_weathered(w, weathered);
  for (Round t = 0; t < weathered_rounds; ++t) {
    in_fair_weather.round(t);
    trial.round(t);
  }
  for (NodeId i = 0; i < w.instance.nodes; ++i) {
    RC_ASSERT(std::ranges::includes(fair.samples(i), weathered.samples(i)));
    RC_ASSERT(!all_work || fair.samples(i) == weathered.samples(i));
  }
}

// GT takes the gradient of a round at the end of the one before; so where nodes pause, the samples
// of K-GT and GT are not the same.
RC_GTEST_PROP(Weathered, KGtOfOneStepIsGradientTracking, ()) {
  Weathered w = *any_weathered({"k-gt"}, {.slow_nodes = false, .codecs = false});
  w.instance.local_steps = 1;
  if (w.faults.pause > 0) w.instance.noise = 0;
  const auto problem = w.instance.problem();
  Weathered gt = w;
  gt.kind = "gt";
  RC_ASSERT(apart(start_weathered(w, *problem), start_weathered(gt, *problem), weathered_rounds) <
            rounding);
}

}  // namespace
}  // namespace driftless::testing
