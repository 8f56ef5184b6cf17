// Where methods end without noise, whatever happens on the network: at the members' optimum.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "driftless/graph/sequence_families.hpp"
#include "tests/support/trial.hpp"

namespace driftless::testing {
namespace {

constexpr Round crash_round = 20;
constexpr NodeId lost_node = 2;

Instance limit_instance(Step local_steps) {
  return {.family = "exponential",
          .weights = Weights::lazy_metropolis,
          .nodes = 6,
          .dim = 4,
          .rows = 6,
          .local_steps = local_steps,
          .reach = 0.3,
          .seed = 3};
}

struct LimitMethod {
  std::string kind;
  Step local_steps = 1;
};
void PrintTo(const LimitMethod& method, std::ostream* stream) {
  *stream << method.kind << ", K = " << method.local_steps;
}

struct Mood {
  std::string name;
  FaultOptions faults = {};
  Trace trace = {};
  std::string sequence = {};
};
void PrintTo(const Mood& mood, std::ostream* stream) { *stream << mood.name; }

Conditions conditions_of(const Instance& instance, const Mood& mood) {
  return {.links = mood.sequence.empty()
                       ? make_fixed(instance.mixing())
                       : make_sequence({.family = mood.sequence, .nodes = instance.nodes}),
          .faults = mood.faults,
          .trace = mood.trace};
}

// x of Σ_i A_iᵀ(A_i x − b_i) = 0 over the members.
Vector<double> optimum_of_members(const Instance& instance, const Network& network) {
  const LeastSquaresData data = instance.data();
  Eigen::MatrixXd H = Eigen::MatrixXd::Zero(instance.dim, instance.dim);
  Vector<double> q = Vector<double>::Zero(instance.dim);
  for (NodeId i = 0; i < instance.nodes; ++i) {
    if (!network.is_member(i)) continue;
    const auto at = static_cast<std::size_t>(i);
    H += data.A[at].transpose() * data.A[at];
    q += data.A[at].transpose() * data.b[at];
  }
  return H.ldlt().solve(q);
}

// The largest distance of a member from the members' optimum.
double error_of_members(const Instance& instance, const Trial& trial) {
  const Vector<double> best = optimum_of_members(instance, trial.network());
  const Eigen::MatrixXd models = trial.models();
  double largest = 0;
  for (NodeId i = 0; i < instance.nodes; ++i) {
    if (trial.network().is_member(i)) {
      largest = std::max(largest, (models.row(i).transpose() - best).norm());
    }
  }
  return largest;
}

class UnderAnyMood : public ::testing::TestWithParam<std::tuple<LimitMethod, Mood>> {};

TEST_P(UnderAnyMood, EndsAtTheOptimumOfTheMembers) {
  const auto& [method, mood] = GetParam();
  const Instance instance = limit_instance(method.local_steps);
  const auto problem = instance.problem();
  AlgorithmOptions options = instance.options();
  options.own["lazy"] = !mood.sequence.empty();  // else LED and D² diverge on most of these
  Trial trial(method.kind, *problem, conditions_of(instance, mood), options);
  for (Round t = 0; t < 600; ++t) {
    trial.round(t);
    if (t > 2 * crash_round + 1 && error_of_members(instance, trial) < 1e-11) break;
  }
  EXPECT_LT(error_of_members(instance, trial), 1e-10);
}

const auto limit_methods = ::testing::Values(
    LimitMethod{"k-gt", 3}, LimitMethod{"gt"}, LimitMethod{"led", 3},
    LimitMethod{"periodical-gt", 3}, LimitMethod{"periodical-gt-full", 3},
    LimitMethod{"large-batch-gt", 3}, LimitMethod{"d2"}, LimitMethod{"exact-diffusion"});
const Trace a_crash{{.round = crash_round, .event = Event::crash, .node = lost_node}};
const Trace a_return{a_crash.front(),
                     {.round = 2 * crash_round, .event = Event::join, .node = lost_node}};

INSTANTIATE_TEST_SUITE_P(
    Moods, UnderAnyMood,
    ::testing::Combine(
        limit_methods,
        ::testing::Values(Mood{.name = "drops", .faults = {.drop = 0.3}},
                          Mood{.name = "bursts", .faults = {.drop = 0.3, .burst = 5}},
                          Mood{.name = "late letters", .faults = {.late = 0.2, .late_rounds = 3}},
                          Mood{.name = "pauses", .faults = {.pause = 0.05, .pause_rounds = 5}},
                          Mood{.name = "crash", .trace = a_crash},
                          Mood{.name = "crash and return", .trace = a_return},
                          Mood{.name = "crash among late letters",
                               .faults = {.drop = 0.1, .late = 0.2, .late_rounds = 3},
                               .trace = a_return},
                          Mood{.name = "one peer", .sequence = "one_peer_exponential"},
                          Mood{.name = "matchings", .sequence = "random_matching"},
                          Mood{.name = "base graph", .sequence = "base_graph"})));
INSTANTIATE_TEST_SUITE_P(
    SlowNodes, UnderAnyMood,
    ::testing::Combine(::testing::Values(LimitMethod{"k-gt", 5}, LimitMethod{"led", 5},
                                         LimitMethod{"periodical-gt", 5},
                                         LimitMethod{"periodical-gt-full", 5},
                                         LimitMethod{"large-batch-gt", 5}),
                       ::testing::Values(Mood{.name = "unequal steps", .faults = {.slow = 0.5}})));

// Ignores what the network asks to take back.
class Forgetful final : public Member<double> {
 public:
  explicit Forgetful(Member<double>& method) : method_(method) {}
  void join(NodeId i, Round t) override { method_.join(i, t); }

 private:
  Member<double>& method_;
};

class AfterACrash : public ::testing::TestWithParam<LimitMethod> {};

TEST_P(AfterACrash, EndsElsewhereWithoutTheLedger) {
  const Instance instance = limit_instance(GetParam().local_steps);
  const auto problem = instance.problem();
  Trial trial(GetParam().kind, *problem,
              conditions_of(instance, Mood{.name = "crash", .trace = a_crash}), instance.options());
  Forgetful forgetful(trial.algorithm());
  Rows<double>& models = *trial.algorithm().state().front().rows;
  for (Round t = 0; t < 600; ++t) {
    trial.network().begin_round(t, models, forgetful);
    trial.algorithm().round(t);
  }
  EXPECT_GT(error_of_members(instance, trial), 1e-3);
}

INSTANTIATE_TEST_SUITE_P(Methods, AfterACrash, limit_methods);

struct PackedMethod {
  std::string kind;
  std::string codec;
};
void PrintTo(const PackedMethod& packed, std::ostream* stream) {
  *stream << packed.kind << " with " << packed.codec;
}

class WithPackedLetters : public ::testing::TestWithParam<PackedMethod> {};

TEST_P(WithPackedLetters, EndsAtTheOptimum) {
  const auto& [kind, codec] = GetParam();
  const CompressionOptions compression{.codec = codec, .keep = 0.5};
  const Instance instance = limit_instance(kind == "gt" ? 1 : 3);
  const auto problem = instance.problem();
  const Conditions conditions{.links = make_fixed(instance.mixing()),
                              .codecs = {nullptr, make_codec<double>(compression)},
                              .codec_rate = default_rate(compression, instance.dim)};
  Trial trial(kind, *problem, conditions, instance.options());
  for (Round t = 0; t < 600; ++t) {
    trial.round(t);
    if (error_of_members(instance, trial) < 1e-11) break;
  }
  EXPECT_LT(error_of_members(instance, trial), 1e-10);
}

// With the default rate, whatever the levels and however long the rows.
TEST(PackedLetters, OfFewLevelsSettle) {
  for (const auto& [levels, dim] : {std::pair{1, 40}, {4, 40}, {4, 2000}, {127, 2000}}) {
    const CompressionOptions compression{.codec = "qsgd", .levels = levels};
    const auto problem = make_synthetic_least_squares<double>(
        {.nodes = 6, .dim = dim, .heterogeneity = 1, .noise = 0});
    for (const char* family : {"ring", "complete"}) {
      Instance instance = limit_instance(1);
      instance.family = family;
      Trial trial("gt", *problem,
                  Conditions{.links = make_fixed(instance.mixing()),
                             .codecs = {nullptr, make_codec<double>(compression)},
                             .codec_rate = default_rate(compression, dim)},
                  {.local_steps = 1, .local_rate = 0.02});
      const auto distance = [&] {
        const Vector<double> mean = trial.models().colwise().mean();
        return (mean - problem->optimum()->point).norm();
      };
      const double before = distance();
      for (Round t = 0; t < 400; ++t) trial.round(t);
      EXPECT_LT(distance(), 0.1 * before) << levels << " levels, " << dim << " numbers, " << family;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, WithPackedLetters,
                         ::testing::Values(PackedMethod{"k-gt", "int4"}, PackedMethod{"gt", "int4"},
                                           PackedMethod{"led", "int4"},
                                           PackedMethod{"k-gt", "qsgd"}, PackedMethod{"gt", "qsgd"},
                                           PackedMethod{"k-gt", "top_k"},
                                           PackedMethod{"gt", "top_k"}));

}  // namespace
}  // namespace driftless::testing
