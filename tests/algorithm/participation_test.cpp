// Methods with a server, where only some nodes reach it in a round: what their papers do then.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <Eigen/Cholesky>

#include "tests/support/trial.hpp"
#include "tests/support/weathered.hpp"

namespace driftless::testing {
namespace {

constexpr Round served_rounds = 8;

// The steps of a node from x with gradients corrected by c, as a part of K.
Vector<double> served_steps(const Problem<double>& problem, const AlgorithmOptions& options,
                            NodeId i, Round t, Step steps, const Vector<double>& x,
                            const Vector<double>& c) {
  Vector<double> y = x;
  Vector<double> g(x.size());
  for (Step k = 0; k < steps; ++k) {
    problem.gradient(i, y, {options.seed, i, t, k}, g);
    y -= options.local_rate * (g + c);
  }
  return y;
}

// One server, and what it holds of its nodes. A node that does K_i steps goes as far as K of its
// mean step.
class PlainServer {
 public:
  PlainServer(const Problem<double>& problem, const AlgorithmOptions& options, Vector<double> x)
      : problem_(problem),
        options_(options),
        x_(std::move(x)),
        c_(Vector<double>::Zero(x_.size())),
        control_(static_cast<std::size_t>(problem.nodes()), c_) {}

  // x ← x + η_s mean_{i ∈ S}(y_i − x) of K steps each.
  void fedavg(Round t, const Weather& weather) {
    with_present(weather, [&](NodeId i, double part, Vector<double>& moved, Vector<double>&) {
      const Step steps = weather.steps(i, options_.local_steps);
      const Vector<double> y =
          served_steps(problem_, options_, i, t, steps, x_, Vector<double>::Zero(x_.size()));
      moved += part * options_.local_steps / steps * (y - x_);
    });
  }

  // Karimireddy et al., Algorithm 1, option II: c_i⁺ = c_i − c + (x − y_i)/(K_i η);
  // x ← x + η_s mean_S(y_i − x), c ← c + |S|/N mean_S(c_i⁺ − c_i).
  void scaffold(Round t, const Weather& weather) {
    with_present(
        weather, [&](NodeId i, double part, Vector<double>& moved, Vector<double>& turned) {
          Vector<double>& own = control_[static_cast<std::size_t>(i)];
          const Step steps = weather.steps(i, options_.local_steps);
          const Vector<double> y = served_steps(problem_, options_, i, t, steps, x_, c_ - own);
          const Vector<double> next = own - c_ + (x_ - y) / (steps * options_.local_rate);
          moved += part * options_.local_steps / steps * (y - x_);
          turned += (next - own) / problem_.nodes();
          own = next;
        });
  }

  const Vector<double>& x() const { return x_; }

 private:
  template <class Work>
  void with_present(const Weather& weather, const Work& work) {
    std::vector<NodeId> present;
    for (NodeId i = 0; i < problem_.nodes(); ++i) {
      if (weather.reaches_server(i)) present.push_back(i);
    }
    Vector<double> moved = Vector<double>::Zero(x_.size());
    Vector<double> turned = moved;
    for (const NodeId i : present)
      work(i, 1.0 / static_cast<double>(present.size()), moved, turned);
    x_ += options_.communication_rate * moved;
    c_ += turned;
  }

  const Problem<double>& problem_;
  AlgorithmOptions options_;
  Vector<double> x_, c_;
  std::vector<Vector<double>> control_;
};

// Half of the nodes are away in a round.
Weathered half_away(const std::string& kind) {
  Weathered w = *any_weathered({kind}, {.changing_links = false,
                                        .pauses = false,
                                        .crashes = false,
                                        .late_letters = false,
                                        .codecs = false});
  w.instance.distinct_starts = false;
  w.instance.gradient_start = false;
  w.faults.drop = 0.3;
  w.faults.pause = 0.3;
  return w;
}

void check_against_plain_server(const std::string& kind,
                                void (PlainServer::*round)(Round, const Weather&)) {
  const Weathered w = half_away(kind);
  const auto problem = w.instance.problem();
  Trial trial(kind, *problem, w.conditions(), w.instance.options());
  PlainServer server(*problem, w.instance.options(), trial.models().row(0).transpose());
  for (Round t = 0; t < served_rounds; ++t) {
    trial.round(t);
    (server.*round)(t, *trial.network().weather());
    RC_ASSERT(difference(server.x().transpose().replicate(w.instance.nodes, 1), trial.models()) <
              rounding);
  }
}

RC_GTEST_PROP(Participation, FedAvgMovesByTheMeanOfWhoIsThere, ()) {
  check_against_plain_server("fedavg", &PlainServer::fedavg);
}

RC_GTEST_PROP(Participation, ScaffoldKeepsTheControlVariatesOfWhoIsAway, ()) {
  check_against_plain_server("scaffold", &PlainServer::scaffold);
}

// So its limit does not depend on who is there: the optimum.
TEST(Participation, ScaffoldEndsAtTheOptimumWithHalfOfTheNodesAway) {
  const Instance instance{.family = "ring",
                          .nodes = 6,
                          .dim = 3,
                          .rows = 5,
                          .local_steps = 3,
                          .reach = 0.3,
                          .communication_rate = 1,
                          .seed = 4};
  const auto problem = instance.problem();
  Trial trial("scaffold", *problem,
              Conditions{.links = make_fixed(instance.mixing()), .faults = {.drop = 0.5}},
              instance.options());
  for (Round t = 0; t < 1000; ++t) trial.round(t);
  const LeastSquaresData data = instance.data();
  Eigen::Matrix3d H = Eigen::Matrix3d::Zero();
  Eigen::Vector3d q = Eigen::Vector3d::Zero();
  for (std::size_t i = 0; i < data.A.size(); ++i) {
    H += data.A[i].transpose() * data.A[i];
    q += data.A[i].transpose() * data.b[i];
  }
  EXPECT_LT(difference(H.ldlt().solve(q).transpose().replicate(6, 1), trial.models()), 1e-12);
}

// Three nodes with f_i = ½(x − b_i)²: at rate ½ a step halves the distance to b = (0, 8, 16).
// Node 2 is away in the first round, nodes 0 and 1 in the second.
TEST(Participation, OfFedAvgByHand) {
  LeastSquaresData data;
  for (const double b : {0.0, 8.0, 16.0}) {
    data.A.emplace_back(LeastSquaresData::Matrix::Identity(1, 1));
    data.b.push_back(Vector<double>::Constant(1, b));
  }
  data.x0.push_back(Vector<double>::Constant(1, 4));
  const auto problem = make_least_squares<double>(data, 0);
  const auto event = [](Round round, Event what, NodeId node) {
    return TraceEvent{.round = round, .event = what, .node = node};
  };
  Trial trial(
      "fedavg", *problem,
      Conditions{.links = make_fixed(MixingMatrix::from_dense(Eigen::Matrix3d::Constant(1.0 / 3))),
                 .trace = {event(0, Event::pause, 2), event(1, Event::resume, 2),
                           event(1, Event::pause, 0), event(1, Event::pause, 1)}},
      {.local_steps = 1, .local_rate = 0.5});
  trial.round(0);
  EXPECT_EQ(trial.models(), Eigen::Vector3d::Constant(4)) << "the mean of 2 and 6";
  trial.round(1);
  EXPECT_EQ(trial.models(), Eigen::Vector3d::Constant(10));
  EXPECT_EQ(trial.network().traffic().total(), (2 + 1) * (2 * sizeof(double)));
}

// Every third round is global. Who does not reach the server keeps its own model, and gossips on.
RC_GTEST_PROP(Participation, GossipPgaAveragesWhoReachesTheServer, ()) {
  const Weathered w = half_away("gossip-pga");
  const auto problem = w.instance.problem();
  const AlgorithmOptions options = w.instance.options();
  Trial trial("gossip-pga", *problem, w.conditions(), options);
  Eigen::MatrixXd X = trial.models();
  for (Round t = 0; t < served_rounds; ++t) {
    trial.round(t);
    const Weather& weather = *trial.network().weather();
    Eigen::MatrixXd W = Eigen::MatrixXd::Zero(X.rows(), X.rows());
    for (NodeId i = 0; i < X.rows(); ++i) {
      if (weather.is_up(i)) {
        const Step steps = weather.steps(i, options.local_steps);
        const Vector<double> x = X.row(i);
        const Vector<double> y =
            served_steps(*problem, options, i, t, steps, x, Vector<double>::Zero(x.size()));
        X.row(i) += options.communication_rate * options.local_steps / steps * (y - x).transpose();
      }
      const auto [nodes, weights] = weather.links().row(i);
      for (std::size_t k = 0; k < nodes.size(); ++k) W(i, nodes[k]) = weights[k];
    }
    if ((t + 1) % 3 == 0) {
      std::vector<NodeId> present;
      for (NodeId i = 0; i < X.rows(); ++i) {
        if (weather.reaches_server(i)) present.push_back(i);
      }
      W = Eigen::MatrixXd::Identity(X.rows(), X.rows());
      for (const NodeId i : present) {
        W.row(i).setZero();
        for (const NodeId j : present) W(i, j) = 1.0 / static_cast<double>(present.size());
      }
    }
    X = W * X;
    RC_ASSERT(difference(X, trial.models()) < rounding);
  }
}

}  // namespace
}  // namespace driftless::testing
