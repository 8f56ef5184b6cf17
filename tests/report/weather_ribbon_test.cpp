#include "driftless/report/weather_ribbon.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "driftless/base/error.hpp"
#include "driftless/graph/families.hpp"
#include "driftless/graph/weights.hpp"

namespace driftless::testing {
namespace {

std::shared_ptr<const LinkSequence> ring(NodeId nodes) {
  return make_fixed(
      make_mixing(make_graph({.family = "ring", .nodes = nodes}), Weights::metropolis));
}

// The rows of a run that has done so many rounds, and tells nothing of its weather.
std::vector<Metrics> rows_to(Round round) {
  Metrics last;
  last.round = round;
  return {Metrics{}, last};
}

// Nodes 1 pauses in rounds 2, 3 and 4, node 3 is lost from 3 to 5, link 0-1 is down in round 1.
const Trace by_hand = {
    {.round = 1, .event = Event::link_down, .node = 0, .peer = 1},
    {.round = 2, .event = Event::link_up, .node = 0, .peer = 1},
    {.round = 2, .event = Event::pause, .node = 1},
    {.round = 3, .event = Event::crash, .node = 3},
    {.round = 5, .event = Event::resume, .node = 1},
    {.round = 6, .event = Event::join, .node = 3},
};

TEST(WeatherRibbon, OfATraceHasItsSpans) {
  const WeatherRibbon ribbon = weather_ribbon(ring(4), {}, by_hand, rows_to(8));
  EXPECT_EQ(ribbon.rounds, 8);
  EXPECT_EQ(ribbon.looked_at, 8);
  EXPECT_EQ(ribbon.nodes_out, 2);
  const std::string up = "00000000";
  const std::vector<RibbonLine> lines = {
      {0, up, up, {}}, {1, "00999000", up, {}}, {2, up, up, {}}, {3, up, "00099900", {6}}};
  EXPECT_EQ(ribbon.lines, lines);
  // From round 3 to 5 members have the links 0-1 and 1-2 alone.
  EXPECT_EQ(ribbon.links_down, (std::vector<double>{0, 0.25, 0.5, 1, 1, 0, 0, 0}));
}

TEST(WeatherRibbon, EndsWithTheLastRoundThatIsDone) {
  const WeatherRibbon ribbon = weather_ribbon(ring(4), {}, by_hand, rows_to(4));
  ASSERT_EQ(ribbon.lines.size(), 4U);
  EXPECT_EQ(ribbon.lines[1].paused, "0099");
  EXPECT_EQ(ribbon.links_down, (std::vector<double>{0, 0.25, 0.5, 1}));
  EXPECT_TRUE(weather_ribbon(ring(4), {}, by_hand, rows_to(0)).links_down.empty());
}

TEST(WeatherRibbon, PutsRoundsTogetherWhereTheyAreManyMoreThanColumns) {
  const WeatherRibbon ribbon = weather_ribbon(ring(4), {}, by_hand, rows_to(8), {.columns = 4});
  EXPECT_EQ(ribbon.lines[1].paused, "0950");  // both rounds of a column, and one of two
  EXPECT_EQ(ribbon.lines[3].lost, "0590");
  EXPECT_EQ(ribbon.lines[3].joins, std::vector<std::size_t>{3});
  EXPECT_EQ(ribbon.links_down, (std::vector<double>{0.125, 0.75, 0.5, 0}));
}

TEST(WeatherRibbon, ShowsTheNodesThatWereDownForLongest) {
  Trace trace = by_hand;
  trace.push_back({.round = 6, .event = Event::pause, .node = 0});  // for two rounds
  const WeatherRibbon ribbon = weather_ribbon(ring(4), {}, trace, rows_to(8), {.lines = 2});
  EXPECT_EQ(ribbon.nodes_out, 3);
  ASSERT_EQ(ribbon.lines.size(), 2U);
  EXPECT_EQ(ribbon.lines[0].node, 1);
  EXPECT_EQ(ribbon.lines[1].node, 3);
}

TEST(WeatherRibbon, HasNoLinesOfNodesWhereLinksAloneAreDown) {
  const WeatherRibbon ribbon = weather_ribbon(ring(4), {.drop = 0.5}, {}, rows_to(20));
  EXPECT_TRUE(ribbon.lines.empty());
  EXPECT_GT(std::accumulate(ribbon.links_down.begin(), ribbon.links_down.end(), 0.0), 5);
}

// Whatever rounds it looks at, it sees what a run sees that goes through all of them.
void expect_as_asked_round_by_round(const FaultOptions& faults, Round rounds,
                                    const RibbonRoom& room, Round looked_at) {
  constexpr NodeId nodes = 12;
  const std::shared_ptr<const LinkSequence> links = make_one_peer_exponential(nodes);
  const WeatherRibbon ribbon = weather_ribbon(links, faults, {}, rows_to(rounds), room);
  ASSERT_EQ(ribbon.rounds, rounds);
  ASSERT_EQ(ribbon.looked_at, looked_at);
  ASSERT_EQ(ribbon.links_down.size(), static_cast<std::size_t>(looked_at));
  ASSERT_EQ(ribbon.lines.size(), static_cast<std::size_t>(nodes));
  Weather weather(links, faults);
  Round out = 0;
  for (Round t = 0, look = 0; t < rounds; ++t) {
    weather.begin(t);
    if (t != ((look + 1) * rounds - 1) / looked_at) continue;
    const auto column = static_cast<std::size_t>(look++);
    EXPECT_DOUBLE_EQ(ribbon.links_down[column], 1 - weather.links_up()) << t;
    for (const RibbonLine& line : ribbon.lines) {
      const bool lost = !weather.is_member(line.node);
      const bool paused = !lost && !weather.is_up(line.node);
      EXPECT_EQ(line.lost[column], lost ? '9' : '0') << t << " " << line.node;
      EXPECT_EQ(line.paused[column], paused ? '9' : '0') << t << " " << line.node;
      out += lost || paused ? 1 : 0;
    }
  }
  EXPECT_GT(out, 20);
}

TEST(WeatherRibbon, OfDrawnFaultsAgreesWithWeatherAskedRoundByRound) {
  const FaultOptions faults = {
      .drop = 0.2, .burst = 3, .pause = 0.05, .pause_rounds = 4, .crash = 0.01, .join_after = 5};
  expect_as_asked_round_by_round(faults, 60, {}, 60);
}

TEST(WeatherRibbon, LooksAtFewerRoundsWhereAllWouldTakeTooLong) {
  const auto check = [](const FaultOptions& faults, Round rounds, double draws) {
    const RibbonRoom room = {.draws = draws};
    const WeatherRibbon few =
        weather_ribbon(make_one_peer_exponential(12), faults, {}, rows_to(rounds), room);
    EXPECT_GE(few.looked_at, 50);
    EXPECT_LT(few.looked_at, rounds / 3);
    expect_as_asked_round_by_round(faults, rounds, room, few.looked_at);
  };
  FaultOptions faults = {.drop = 0.2, .burst = 3, .pause = 0.05, .pause_rounds = 4};
  check(faults, 2000, 2e4);
  faults.crash = 0.01;  // what happens between two looks counts too
  faults.join_after = 5;
  check(faults, 400, 32e3);
}

TEST(WeatherRibbon, StopsEarlyWhereAllThatWentBeforeWouldTakeTooLong) {
  const WeatherRibbon ribbon =
      weather_ribbon(ring(1000), {.crash = 1e-6}, {}, rows_to(1'000'000), {.draws = 1e6});
  EXPECT_GT(ribbon.rounds, 100);
  EXPECT_LT(ribbon.rounds, 1000);  // 1000 draws each
  EXPECT_LE(ribbon.looked_at, ribbon.rounds);
}

TEST(WeatherRibbon, RefusesRowsThatTellOfOtherWeather) {
  std::vector<Metrics> rows = rows_to(4);
  rows.back().members = 3;
  rows.back().links_up = 0;
  EXPECT_NO_THROW(weather_ribbon(ring(4), {}, by_hand, rows));
  rows.back().links_up = 0.5;
  EXPECT_THROW(weather_ribbon(ring(4), {}, by_hand, rows), DataError);
  rows.back().links_up = 0;
  rows.back().members = 4;
  EXPECT_THROW(weather_ribbon(ring(4), {}, by_hand, rows), DataError);
}

}  // namespace
}  // namespace driftless::testing
