// A trace does what letters.py, the reference of the letters' semantics, does: a transcription of
// its Network, event by event, beside ours.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <string>

#include "driftless/base/file.hpp"
#include "tests/graph/sequence_cases.hpp"
#include "tests/network/weather_cases.hpp"

namespace driftless {
namespace {

using testing::dense;

class Reference {
 public:
  Reference(Eigen::MatrixXd w, Trace events)
      : w_(std::move(w)), n_(static_cast<NodeId>(w_.rows())), events_(std::move(events)) {}

  bool up(NodeId i) const { return !paused_.contains(i) && !gone_.contains(i); }
  bool link(NodeId i, NodeId j) const {
    return i != j && w_(i, j) > 0 && up(i) && up(j) && !down_.contains({i, j});
  }
  bool is_member(NodeId i) const { return !gone_.contains(i); }
  std::size_t members() const { return static_cast<std::size_t>(n_) - gone_.size(); }
  NodeId lowest_neighbour(NodeId i) const {
    NodeId j = 0;
    while (j < n_ && !link(i, j)) ++j;
    return j;
  }
  std::int64_t said(Round t, Event event, NodeId node, NodeId peer, std::int64_t otherwise) const {
    for (const TraceEvent& each : events_) {
      if (each.round == t && each.event == event && each.node == node && each.peer == peer) {
        return each.value;
      }
    }
    return otherwise;
  }
  Eigen::MatrixXd weights() const {
    Eigen::MatrixXd result = w_;
    for (NodeId i = 0; i < n_; ++i) {
      for (NodeId j = 0; j < n_; ++j) {
        if (i == j || link(i, j)) continue;
        result(i, i) += result(i, j);
        result(i, j) = 0;
      }
    }
    return result;
  }

  struct Greeting {
    NodeId node, from;
  };
  std::vector<Greeting> begin(Round t) {
    std::vector<Greeting> greetings;
    for (const TraceEvent& each : events_) {
      if (each.round == t) apply(each, greetings);
    }
    return greetings;
  }
  void apply(const TraceEvent& each, std::vector<Greeting>& greetings) {
    const auto [a, b] = std::pair(each.node, each.peer);
    if (each.event == Event::link_down) down_.insert({{a, b}, {b, a}});
    if (each.event == Event::link_up) down_.erase({a, b}), down_.erase({b, a});
    if (each.event == Event::pause) paused_.insert(a);
    if (each.event == Event::resume) paused_.erase(a);
    if (each.event == Event::crash) gone_.insert(a);
    if (each.event == Event::join) {
      gone_.erase(a);
      greetings.push_back({a, lowest_neighbour(a)});
    }
  }

 private:
  Eigen::MatrixXd w_;
  NodeId n_;
  Trace events_;
  std::set<std::pair<NodeId, NodeId>> down_;
  std::set<NodeId> paused_, gone_;
};

void expect_same_as_reference(const MixingMatrix& mixing, const Trace& trace, Round rounds) {
  const NodeId n = mixing.nodes();
  Weather weather(make_fixed(mixing), {}, trace);
  Reference reference(mixing.to_dense(), trace);
  for (Round t = 0; t < rounds; ++t) {
    const auto greetings = reference.begin(t);
    std::size_t greeted = 0;
    for (const Weather::Change& change : weather.begin(t)) {
      if (change.lost) continue;
      ASSERT_LT(greeted, greetings.size());
      EXPECT_EQ(change.node, greetings[greeted].node);
      EXPECT_EQ(change.from, greetings[greeted++].from);
    }
    EXPECT_EQ(greeted, greetings.size());
    EXPECT_EQ(weather.members(), reference.members());
    EXPECT_LE((dense(weather.links()) - reference.weights()).cwiseAbs().maxCoeff(), 1e-15);
    for (NodeId i = 0; i < n; ++i) {
      EXPECT_EQ(weather.is_member(i), reference.is_member(i));
      EXPECT_EQ(weather.is_up(i), reference.up(i));
      EXPECT_EQ(weather.steps(i, 4), reference.said(t, Event::steps, i, 0, 4));
      for (NodeId j = 0; j < n; ++j) {
        EXPECT_EQ(weather.lateness(i, j), reference.said(t, Event::late, i, j, 0));
      }
    }
  }
}

// Any events in any order, several a round; nobody joins who finds no neighbour, which the
// reference does not bear.
Trace any_trace(const MixingMatrix& mixing, unsigned seed, Round rounds) {
  std::mt19937 random(seed);
  const auto below = [&](NodeId bound) { return static_cast<NodeId>(random() % bound); };
  Reference state(mixing.to_dense(), {});
  Trace trace;
  for (Round t = 0; t < rounds; ++t) {
    for (NodeId count = below(7); count > 0; --count) {
      TraceEvent event{
          .round = t, .event = values_of<Event>[below(8)].value, .node = below(mixing.nodes())};
      const bool has_peer = event.event == Event::link_down || event.event == Event::link_up ||
                            event.event == Event::late;
      if (has_peer) event.peer = (event.node + 1 + below(mixing.nodes() - 1)) % mixing.nodes();
      if (event.event == Event::late || event.event == Event::steps) event.value = 1 + below(3);
      const bool member = state.is_member(event.node);
      if (event.event == Event::crash && (!member || state.members() == 1)) continue;
      std::vector<Reference::Greeting> greetings;
      if (event.event == Event::join) {
        Reference after = state;
        after.apply(event, greetings);
        if (member || greetings[0].from == mixing.nodes()) continue;
      }
      state.apply(event, greetings);
      trace.push_back(event);
    }
  }
  return trace;
}

TEST(WeatherTrace, IsThatOfTheReferenceWhateverHappens) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    const MixingMatrix mixing = testing::graph_of(seed % 2 == 0 ? "ring" : "complete", 5);
    SCOPED_TRACE(seed);
    expect_same_as_reference(mixing, any_trace(mixing, seed, 40), 45);
  }
}

TEST(WeatherTrace, HappensInItsOrderWithinARound) {
  const auto greeter = [](const Trace& trace) {
    Weather weather(testing::fixed("complete", 4), {}, trace);
    weather.begin(0);
    return weather.begin(1).back();
  };
  const TraceEvent lost{.round = 0, .event = Event::crash, .node = 2};
  const TraceEvent cut{.round = 1, .event = Event::link_down, .node = 2, .peer = 0};
  const TraceEvent joins{.round = 1, .event = Event::join, .node = 2};
  const TraceEvent goes{.round = 1, .event = Event::crash, .node = 0};
  EXPECT_EQ(greeter({lost, joins, cut}).from, 0);
  EXPECT_EQ(greeter({lost, cut, joins}).from, 1);
  EXPECT_EQ(greeter({lost, goes, joins}).from, 1);
  EXPECT_TRUE(greeter({lost, joins, goes}).lost);
}

TEST(WeatherTrace, HasTheFirstWordOfTwoInARound) {
  const Trace trace = {{.round = 2, .event = Event::steps, .node = 1, .value = 3},
                       {.round = 2, .event = Event::late, .node = 1, .peer = 0, .value = 5},
                       {.round = 2, .event = Event::steps, .node = 1, .value = 7},
                       {.round = 2, .event = Event::late, .node = 1, .peer = 0, .value = 1}};
  Weather weather(testing::fixed("ring", 3), {.late = 1, .late_rounds = 1, .slow = 1}, trace);
  for (Round t = 0; t < 3; ++t) weather.begin(t);
  EXPECT_EQ(weather.steps(1, 2), 3);  // before what is drawn
  EXPECT_EQ(weather.lateness(1, 0), 5);
  EXPECT_EQ(weather.lateness(0, 1), 1);
  EXPECT_EQ(weather.steps(0, 2), 1);
}

TEST(WeatherTrace, SaysWhatMayHappen) {
  const auto says = [](Event event) {
    const Weather weather(testing::fixed("ring", 3), {}, {{.event = event, .peer = 1, .value = 1}});
    return std::array{weather.links_change(), weather.letters_wait(), weather.nodes_crash(),
                      weather.steps_differ()};
  };
  EXPECT_EQ(says(Event::link_down), (std::array{true, false, false, false}));
  EXPECT_EQ(says(Event::pause), (std::array{true, false, false, false}));
  EXPECT_EQ(says(Event::crash), (std::array{true, true, true, false}));
  EXPECT_EQ(says(Event::late), (std::array{false, true, false, false}));
  EXPECT_EQ(says(Event::steps), (std::array{false, false, false, true}));
}

// All events of the golden trajectories, on the graphs that they are for.
TEST(WeatherTrace, OfTheGoldenCasesIsThatOfTheReference) {
  const auto all = nlohmann::json::parse(read_file(DRIFTLESS_TEST_DATA "/network.json"));
  int events = 0;
  for (const auto& each : all["cases"]) {
    SCOPED_TRACE(each["case"].get<std::string>());
    Eigen::MatrixXd w(5, 5);
    for (Index i = 0; i < 5; ++i) {
      for (Index j = 0; j < 5; ++j) w(i, j) = each["W"][i][j];
    }
    Trace trace;
    for (const auto& [round, name, node, peer, value] :
         each["events"].get<std::vector<std::tuple<Round, std::string, NodeId, NodeId, int>>>()) {
      trace.push_back({.round = round,
                       .event = from_name<Event>("event", name),
                       .node = node,
                       .peer = std::max(peer, 0),  // −1: none
                       .value = value});
      ++events;
    }
    expect_same_as_reference(MixingMatrix::from_dense(w), trace, each["rounds"]);
  }
  EXPECT_GT(events, 500);
}

}  // namespace
}  // namespace driftless
