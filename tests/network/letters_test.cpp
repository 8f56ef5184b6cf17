// Letters that wait: late ones, and those that a node takes back when their sender is lost.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "driftless/network/local_network.hpp"
#include "tests/support/trial.hpp"
#include "tests/support/weathered.hpp"

namespace driftless::testing {
namespace {

const Eigen::Matrix2d halves = Eigen::Matrix2d::Constant(0.5);

Rows<double> two_rows(double first, double second) {
  Rows<double> rows({0, 2}, 1);
  rows[0][0] = first;
  rows[1][0] = second;
  return rows;
}

struct Pair {
  explicit Pair(Trace trace)
      : network(Conditions{.links = make_fixed(MixingMatrix::from_dense(halves)),
                           .trace = std::move(trace)}) {
    network.start(rows);
  }
  void mix(Round t, std::initializer_list<Rows<double>*> all) {
    network.begin_round(t, rows, nobody);
    network.mix(all);
  }
  void mix(Round t) { mix(t, {&rows}); }

  Rows<double> rows = two_rows(8, 0);
  LocalNetwork network;
  Member<double> nobody;
};

// Node 0 has −4 at once. Its own letter comes two rounds later and still says +4.
TEST(Letters, ThatAreLateAddTheFlowOfTheirOwnRound) {
  Pair pair({{.event = Event::late, .node = 0, .peer = 1, .value = 2}});
  pair.mix(0);
  EXPECT_EQ(dense(pair.rows), Eigen::Vector2d(4, 0));
  pair.mix(1);
  EXPECT_EQ(dense(pair.rows), Eigen::Vector2d(2, 2));
  pair.mix(2);
  EXPECT_EQ(dense(pair.rows), Eigen::Vector2d(2, 6)) << "2 and 2 have nothing to tell";
  pair.mix(3);
  EXPECT_EQ(dense(pair.rows), Eigen::Vector2d(4, 4));
}

TEST(Letters, WaitForANodeThatPauses) {
  Pair pair({{.event = Event::late, .node = 0, .peer = 1, .value = 1},
             {.round = 1, .event = Event::pause, .node = 1},
             {.round = 3, .event = Event::resume, .node = 1}});
  pair.mix(0);
  pair.mix(1);
  pair.mix(2);
  EXPECT_EQ(dense(pair.rows), Eigen::Vector2d(4, 0));
  pair.mix(3);
  EXPECT_EQ(dense(pair.rows), Eigen::Vector2d(2, 6));
}

TEST(Letters, OfALostNodeDoNotArrive) {
  Pair pair({{.event = Event::late, .node = 0, .peer = 1, .value = 1},
             {.round = 1, .event = Event::crash, .node = 0}});
  pair.mix(0);
  pair.mix(1);
  EXPECT_EQ(dense(pair.rows), Eigen::Vector2d(4, 0));
}

TEST(Letters, OfALazyMixCarryHalfTheFlow) {
  Pair pair({{.event = Event::late, .node = 0, .peer = 1, .value = 1}});
  pair.network.begin_round(0, pair.rows, pair.nobody);
  pair.network.mix({&pair.rows}, Mixing::lazy);
  EXPECT_EQ(dense(pair.rows), Eigen::Vector2d(6, 0));
}

// The first mix of a round carries two rows, the second another one.
TEST(Letters, AreTakenInTheMixThatSendsTheSameRows) {
  Pair pair({{.event = Event::late, .node = 0, .peer = 1, .value = 1}});
  Rows<double> x = two_rows(2, 0);
  Rows<double> z = two_rows(4, 0);
  Rows<double> other({0, 2}, 3);
  other[0].setConstant(6);
  pair.mix(0, {&x, &z});
  pair.network.mix({&other});
  pair.mix(1, {&x, &z});
  EXPECT_EQ(dense(x), Eigen::Vector2d(0.5, 1.5));
  EXPECT_EQ(dense(z), Eigen::Vector2d(1, 3));
  EXPECT_EQ(other[1], Eigen::Vector3d(0, 0, 0));
  pair.network.mix({&other});
  EXPECT_EQ(other[1], Eigen::Vector3d(4.5, 4.5, 4.5));
}

// The mail and the ledger as plain lists: a letter of round t from j to i is due some rounds later,
// is used once, when i is up, and not at all if either is lost before.
class PlainPost final : public Member<double> {
 public:
  explicit PlainPost(Eigen::MatrixXd rows) : rows_(std::move(rows)) {}

  // After begin_round.
  void mix(Round t, const Weather& weather) {
    const Eigen::MatrixXd said = rows_;
    for (NodeId i = 0; i < said.rows(); ++i) {
      const auto [neighbours, weights] = weather.links().row(i);
      for (std::size_t k = 0; k < neighbours.size(); ++k) {
        const NodeId j = neighbours[k];
        if (j == i) continue;
        mail_.push_back({t + weather.lateness(j, i), i, j,
                         weights[k] * (said.row(j) - said.row(i)).transpose()});
      }
    }
    std::erase_if(mail_, [&](const Letter& letter) {
      if (letter.due > t || !weather.is_up(letter.to)) return false;
      rows_.row(letter.to) += letter.flow.transpose();
      had_.push_back(letter);
      return true;
    });
  }
  // What node i had of the lost node that has not been told yet.
  void lose(NodeId node) {
    const auto touches = [&](const Letter& letter) {
      return letter.to == node || letter.from == node;
    };
    std::erase_if(mail_, touches);
    for (const Letter& letter : had_) {
      if (letter.from != node) continue;
      const auto [sum, is_first] = due_back_.try_emplace(letter.to, letter.flow);
      if (!is_first) sum->second += letter.flow;
    }
    std::erase_if(had_, touches);
  }
  void take_back(NodeId i, const ConstVectorView<double>& flow) override { taken_[i] = flow; }

  const Eigen::MatrixXd& rows() const { return rows_; }
  // Whether all that was due back of one lost node was taken back, by whom it was due from.
  bool is_even(const Network& network) {
    std::erase_if(due_back_, [&](const auto& each) { return !network.is_member(each.first); });
    bool even = due_back_.size() == taken_.size();
    for (const auto& [i, flow] : due_back_) {
      even = even && taken_.contains(i) && difference(flow, taken_[i]) < 1e-13;
    }
    due_back_.clear();
    taken_.clear();
    return even;
  }

 private:
  struct Letter {
    Round due;
    NodeId to, from;
    Vector<double> flow;
  };
  Eigen::MatrixXd rows_;
  std::vector<Letter> mail_, had_;
  std::map<NodeId, Vector<double>> due_back_, taken_;
};

RC_GTEST_PROP(Letters, AreUsedOnceWhenTheyAreDueAndTakenBackFromWhoIsLost, ()) {
  Weathered w = *any_weathered({"d-sgd"}, {.slow_nodes = false, .codecs = false});
  w.faults.late = 0.4;
  w.faults.crash = 0.05;
  if (w.faults.join_after) w.faults.join_after = {};  // one kind of change a round is enough here
  LocalNetwork network(w.conditions());
  Rows<double> rows(network.hosted(), w.instance.dim);
  for (NodeId i = 0; i < w.instance.nodes; ++i) {
    for (Index k = 0; k < rows.dim(); ++k) rows[i][k] = std::sin(1.0 + 7 * i + k);
  }
  network.start(rows);
  PlainPost plain(dense(rows));
  for (Round t = 0; t < 12; ++t) {
    std::vector<bool> before;
    before.reserve(w.instance.nodes);
    for (NodeId i = 0; i < w.instance.nodes; ++i) before.push_back(network.is_member(i));
    network.begin_round(t, rows, plain);
    NodeId lost = 0;
    for (NodeId i = 0; i < w.instance.nodes; ++i) {
      if (!before[static_cast<std::size_t>(i)] || network.is_member(i)) continue;
      plain.lose(i);
      ++lost;
    }
    RC_ASSERT(plain.is_even(network) || lost > 1);  // take_back tells no lost node's name
    network.mix({&rows});
    plain.mix(t, *network.weather());
    RC_ASSERT(difference(plain.rows(), dense(rows)) < 1e-13);
  }
}

}  // namespace
}  // namespace driftless::testing
