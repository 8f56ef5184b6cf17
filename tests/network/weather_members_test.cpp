// Who is lost and who comes back, and what is left of W_t.
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <vector>

#include "driftless/graph/sequence_families.hpp"
#include "tests/graph/sequence_cases.hpp"
#include "tests/network/weather_cases.hpp"

namespace driftless {
namespace {

using testing::dense;
using testing::expect_links_of_a_round;
using testing::expect_share;
using testing::fixed;

// All that may go wrong at once, often.
FaultOptions storm(std::uint64_t seed) {
  return {.drop = 0.3,
          .burst = 3,
          .pause = 0.05,
          .pause_rounds = 4,
          .crash = 0.02,
          .join_after = 6,
          .late = 0.3,
          .late_rounds = 3,
          .slow = 0.4,
          .seed = seed};
}

std::vector<std::shared_ptr<const LinkSequence>> all_links() {
  return {fixed("ring", 9),
          fixed("complete", 5),
          fixed("star", 8),
          make_one_peer_exponential(11),
          make_random_matching(10, 3),
          make_base_graph(12, 2)};
}

TEST(WeatherMembers, AreLostAsOftenAsIsAsked) {
  constexpr double crash = 0.02;
  Weather weather(fixed("complete", 8), {.crash = crash, .join_after = 5});
  double chances = 0;
  std::int64_t lost = 0;
  std::int64_t came = 0;
  std::map<NodeId, Round> since;
  for (Round t = 0; t < 5000; ++t) {
    chances += weather.members();
    for (const Weather::Change& change : weather.begin(t)) {
      EXPECT_EQ(weather.is_member(change.node), !change.lost);
      if (change.lost) {
        ++lost;
        since[change.node] = t;
      } else {
        ++came;
        EXPECT_EQ(t - since[change.node], 5);
      }
    }
  }
  expect_share(static_cast<double>(lost), chances, crash);
  EXPECT_EQ(weather.counts().crashes, lost);
  EXPECT_EQ(weather.counts().joins, came);
  EXPECT_EQ(weather.members(), 8 - lost + came);
}

TEST(WeatherMembers, StayAwayWhereNoReturnIsAsked) {
  Weather weather(fixed("complete", 8), {.crash = 0.05});
  for (Round t = 0; t < 1000; ++t) weather.begin(t);
  EXPECT_EQ(weather.members(), 1);
  EXPECT_EQ(weather.counts().crashes, 7);
  EXPECT_EQ(weather.counts().joins, 0);
}

TEST(WeatherMembers, AreNeverNone) {
  Weather weather(fixed("ring", 6), {.crash = 1, .join_after = 2});
  for (Round t = 0; t < 50; ++t) {
    weather.begin(t);
    EXPECT_GE(weather.members(), 1);
  }
  EXPECT_GT(weather.counts().joins, 10);
  Weather alone(fixed("ring", 1), {.crash = 1});
  EXPECT_TRUE(alone.begin(0).empty());
  EXPECT_TRUE(alone.is_up(0));
}

TEST(WeatherMembers, AreCountedRightWhereTraceAndDrawsMeet) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Trace trace;
    for (Round t = 1; t < 100; t += 4) {
      trace.push_back({.round = t, .event = Event::crash, .node = static_cast<NodeId>(t % 3)});
      trace.push_back({.round = t + 2, .event = Event::join, .node = static_cast<NodeId>(t % 3)});
    }
    Weather weather(fixed("complete", 4), {.crash = 0.2, .join_after = 3, .seed = seed}, trace);
    std::vector<bool> member(4, true);
    for (Round t = 0; t < 100; ++t) {
      for (const Weather::Change& change : weather.begin(t)) {
        EXPECT_EQ(member[static_cast<std::size_t>(change.node)], change.lost);
        EXPECT_TRUE(change.lost || member[static_cast<std::size_t>(change.from)]);
        member[static_cast<std::size_t>(change.node)] = !change.lost;
      }
      NodeId members = 0;
      for (NodeId i = 0; i < 4; ++i) {
        EXPECT_EQ(weather.is_member(i), member[static_cast<std::size_t>(i)]);
        members += weather.is_member(i) ? 1 : 0;
      }
      EXPECT_EQ(weather.members(), members);
      EXPECT_GE(members, 1);
    }
  }
}

// A member alone among paused ones has nobody to ask.
TEST(WeatherMembers, JoinOnceSomeoneCanGreetThem) {
  const Trace trace = {{.round = 1, .event = Event::crash, .node = 0},
                       {.round = 2, .event = Event::pause, .node = 1},
                       {.round = 2, .event = Event::join, .node = 0},
                       {.round = 5, .event = Event::resume, .node = 1}};
  Weather weather(fixed("path", 3), {}, trace);
  for (Round t = 0; t < 5; ++t) {
    const auto changes = weather.begin(t);
    EXPECT_EQ(changes.size(), t == 1 ? 1 : 0);
    EXPECT_EQ(weather.is_member(0), t == 0);
  }
  const auto changes = weather.begin(5);
  ASSERT_EQ(changes.size(), 1);
  EXPECT_FALSE(changes[0].lost);
  EXPECT_EQ(changes[0].from, 1);
  EXPECT_TRUE(weather.begin(6).empty());
}

TEST(WeatherMembers, LeaveWSymmetricWithRowsThatSumToOneUnderAllFaults) {
  for (const auto& links : all_links()) {
    Weather weather(links, storm(4));
    for (Round t = 0; t < 120; ++t) {
      weather.begin(t);
      expect_links_of_a_round(weather.links(), links->nodes());
      const Eigen::MatrixXd whole = dense(*links, t);
      const Eigen::MatrixXd up = dense(weather.links());
      double of_members = 0;
      double carry = 0;
      for (NodeId i = 0; i < links->nodes(); ++i) {
        for (NodeId j = 0; j < i; ++j) {
          EXPECT_TRUE(up(i, j) == 0 || up(i, j) == whole(i, j));
          EXPECT_TRUE(up(i, j) == 0 || (weather.is_up(i) && weather.is_up(j)));
          if (whole(i, j) > 0 && weather.is_member(i) && weather.is_member(j)) ++of_members;
          carry += up(i, j) > 0 ? 1 : 0;
        }
      }
      EXPECT_EQ(weather.links_up(), of_members > 0 ? carry / of_members : 1);
    }
    EXPECT_GT(weather.counts().crashes, 2);
  }
}

// Everything that a run asks.
void expect_same(const Weather& one, const Weather& other) {
  EXPECT_EQ(dense(one.links()), dense(other.links()));
  EXPECT_EQ(one.members(), other.members());
  EXPECT_EQ(one.links_up(), other.links_up());
  for (NodeId i = 0; i < one.nodes(); ++i) {
    EXPECT_EQ(one.is_member(i), other.is_member(i));
    EXPECT_EQ(one.is_up(i), other.is_up(i));
    EXPECT_EQ(one.reaches_server(i), other.reaches_server(i));
    EXPECT_EQ(one.steps(i, 10), other.steps(i, 10));
    for (NodeId j = 0; j < one.nodes(); ++j) EXPECT_EQ(one.lateness(i, j), other.lateness(i, j));
  }
}

void expect_same_changes(const std::vector<Weather::Change>& some,
                         const std::vector<Weather::Change>& others) {
  ASSERT_EQ(some.size(), others.size());
  for (std::size_t k = 0; k < some.size(); ++k) {
    EXPECT_EQ(some[k].node, others[k].node);
    EXPECT_EQ(some[k].lost, others[k].lost);
    EXPECT_EQ(some[k].from, others[k].from);
  }
}

TEST(WeatherMembers, AndAllElseAreTheSameAfterAResume) {
  const Trace outages = {{.round = 3, .event = Event::link_down, .node = 1, .peer = 0},
                         {.round = 4, .event = Event::pause, .node = 2},
                         {.round = 5, .event = Event::crash, .node = 3},
                         {.round = 18, .event = Event::link_up, .node = 0, .peer = 1},
                         {.round = 19, .event = Event::join, .node = 3},
                         {.round = 19, .event = Event::late, .node = 3, .peer = 4, .value = 2},
                         {.round = 20, .event = Event::steps, .node = 4, .value = 2}};
  FaultOptions without_crashes = storm(3);
  without_crashes.crash = 0;
  for (const auto& links : all_links()) {
    for (const FaultOptions& faults : {storm(2), without_crashes, FaultOptions{}}) {
      for (const Trace& trace : {Trace(), outages}) {
        for (const Round rounds : {0, 1, 4, 17, 20}) {
          Weather whole(links, faults, trace);
          for (Round t = 0; t < rounds; ++t) whole.begin(t);
          Weather resumed(links, faults, trace);
          resumed.resume(rounds);
          for (Round t = rounds; t < rounds + 12; ++t) {
            expect_same_changes(whole.begin(t), resumed.begin(t));
            expect_same(whole, resumed);
          }
        }
      }
    }
  }
}

TEST(WeatherMembers, AreThoseOfTheResumedRunAtOnce) {
  const auto links = fixed("complete", 6);
  Weather whole(links, storm(8));
  for (Round t = 0; t < 40; ++t) whole.begin(t);
  Weather resumed(links, storm(8));
  resumed.resume(40);
  EXPECT_EQ(resumed.members(), whole.members());
  for (NodeId i = 0; i < 6; ++i) EXPECT_EQ(resumed.is_member(i), whole.is_member(i));
}

TEST(WeatherMembers, AreCountedOnFromWhereARunWasSaved) {
  Weather weather(fixed("complete", 6), storm(8));
  weather.resume(100);
  EXPECT_EQ(weather.counts(), FaultCounts{});
  const FaultCounts saved{.drops = 5, .pauses = 4, .crashes = 3, .joins = 2, .late_letters = 1};
  weather.set_counts(saved);
  EXPECT_EQ(weather.counts(), saved);
}

}  // namespace
}  // namespace driftless
