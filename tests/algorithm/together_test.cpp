// Problems that have the gradients of all nodes at once.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "driftless/base/parallel.hpp"
#include "tests/support/trial.hpp"
#include "tests/support/weathered.hpp"

namespace driftless::testing {
namespace {

// Tells gradients of several nodes alone, and counts the calls.
class Together final : public Problem<double>, public GradientsAtOnce<double> {
 public:
  explicit Together(const Problem<double>& problem) : problem_(problem) {}

  int calls() const { return calls_; }

  NodeId nodes() const override { return problem_.nodes(); }
  Index dim() const override { return problem_.dim(); }
  void start(NodeId i, VectorView<double> x) const override { problem_.start(i, x); }
  void gradient(NodeId i, const ConstVectorView<double>& x, const Draw& draw,
                VectorView<double> g) const override {
    problem_.gradient(i, x, draw, g);
  }
  void full_gradient(NodeId i, const ConstVectorView<double>& x, const Draw& draw,
                     VectorView<double> g) const override {
    problem_.full_gradient(i, x, draw, g);
  }
  double loss(NodeId i, const ConstVectorView<double>& x) const override {
    return problem_.loss(i, x);
  }

  const GradientsAtOnce<double>* at_once() const override { return this; }
  void gradients(std::span<const GradientRequest<double>> requests) const override {
    ++calls_;
    NodeId before = -1;
    for (const GradientRequest<double>& each : requests) {
      EXPECT_LT(before, each.draw.node);
      before = each.draw.node;
      problem_.gradient(each.draw.node, Eigen::Map<const Vector<double>>(each.x, dim()), each.draw,
                        Eigen::Map<Vector<double>>(each.g, dim()));
    }
  }

 private:
  const Problem<double>& problem_;
  mutable int calls_ = 0;
};

// Methods that do not move between their gradients ask for one node at a time.
bool takes_steps_together(std::string_view kind) {
  return kind != "gt" && kind != "periodical-gt" && !kind.starts_with("large-batch");
}

RC_GTEST_PROP(GradientsAtOnce, GiveTheBitsOfNodesOneByOneInAnyWeather, ()) {
  const Weathered w = *any_weathered(methods_of_neighbours());
  const auto exact = w.instance.problem();
  const Together problem(*exact);
  Trial one_by_one(w.kind, *exact, w.conditions(), w.instance.options());
  Trial together(w.kind, problem, w.conditions(), w.instance.options());
  on_threads(*rc::gen::inRange(1, 4), [&] {
    for (Round t = 0; t < 6; ++t) {
      one_by_one.round(t);
      together.round(t);
      RC_ASSERT(one_by_one.models() == together.models());
    }
  });
}

class TogetherMethods : public ::testing::TestWithParam<std::size_t> {};

TEST_P(TogetherMethods, AskOnceAStep) {
  const AlgorithmKind& kind = algorithm_kinds()[GetParam()];
  const Instance instance{.nodes = 6, .dim = 4, .local_steps = kind.local_steps ? 5 : 1};
  const auto exact = instance.problem();
  const Together problem(*exact);
  Trial trial(kind.name, problem, instance.mixing(), instance.options());
  const int before = problem.calls();
  trial.round(0);
  // The last of these steps has a full gradient.
  const int steps = instance.local_steps - (kind.name == "periodical-gt-full" ? 1 : 0);
  if (takes_steps_together(kind.name)) {
    EXPECT_EQ(problem.calls() - before, steps);
  } else {
    EXPECT_EQ(problem.calls(), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(All, TogetherMethods,
                         ::testing::Range<std::size_t>(0, algorithm_kinds().size()));

}  // namespace
}  // namespace driftless::testing
