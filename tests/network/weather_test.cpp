// What is drawn: how often, how long, and of what.
#include "driftless/network/weather.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <utility>

#include "driftless/graph/sequence_mixing.hpp"
#include "tests/graph/sequence_cases.hpp"
#include "tests/network/weather_cases.hpp"

namespace driftless {
namespace {

using testing::expect_mean_length;
using testing::expect_share;
using testing::fixed;
using testing::graph_of;
using testing::Spells;

bool is_linked(const Weather& weather, NodeId a, NodeId b) {
  return std::ranges::binary_search(weather.links().row(a).nodes, b);
}

TEST(Weather, DrawsTheShareOfDropsThatIsAsked) {
  for (const double drop : {0.05, 0.3, 1.0}) {
    Weather weather(fixed("complete", 6), {.drop = drop});
    constexpr Round rounds = 2000;
    double down = 0;
    for (Round t = 0; t < rounds; ++t) {
      weather.begin(t);
      down += 15 * (1 - weather.links_up());
    }
    expect_share(down, 15 * rounds, drop);
    EXPECT_EQ(weather.counts().drops, std::llround(down));
  }
}

// An outage ends in a round with the chance 1 / burst, and another may follow at once.
TEST(Weather, DrawsOutagesOfTheLengthThatIsAsked) {
  for (const double burst : {1.0, 4.0, 20.0}) {
    constexpr double drop = 0.2;
    Weather weather(fixed("ring", 10), {.drop = drop, .burst = burst});
    constexpr Round rounds = 4000;
    std::vector<Spells> spells(10);
    double down = 0;
    for (Round t = 0; t < rounds; ++t) {
      weather.begin(t);
      for (NodeId i = 0; i < 10; ++i) {
        const bool out = !is_linked(weather, i, (i + 1) % 10);
        spells[static_cast<std::size_t>(i)].add(out);
        down += out ? 1 : 0;
      }
    }
    std::vector<Round> lengths;
    for (const Spells& each : spells) {
      lengths.insert(lengths.end(), each.lengths().begin(), each.lengths().end());
    }
    expect_mean_length(lengths, burst + drop / (1 - drop));
    // Rounds that a link has alike count as one.
    const double alike = 1 - 1 / (burst * (1 - drop) + drop);
    expect_share(down, 10 * rounds, drop, 10 * rounds * (1 - alike) / (1 + alike));
  }
}

TEST(Weather, OfALinkIsTheSameOnEveryGraph) {
  const FaultOptions faults{.drop = 0.4, .burst = 3, .late = 0.5, .late_rounds = 4, .seed = 9};
  Weather ring(fixed("ring", 8), faults);
  Weather complete(fixed("complete", 12), faults);
  Weather other(fixed("ring", 8), FaultOptions{.drop = 0.4, .burst = 3, .seed = 10});
  int differ = 0;
  for (Round t = 0; t < 200; ++t) {
    for (Weather* each : {&ring, &complete, &other}) each->begin(t);
    for (NodeId i = 0; i < 8; ++i) {
      const NodeId j = (i + 1) % 8;
      EXPECT_EQ(is_linked(ring, i, j), is_linked(complete, i, j));
      EXPECT_EQ(ring.lateness(i, j), complete.lateness(i, j));
      differ += is_linked(ring, i, j) != is_linked(other, i, j) ? 1 : 0;
    }
  }
  expect_share(differ, 1600, 2 * 0.4 * 0.6, 1600 / 5.0);
}

TEST(Weather, IsTheSameWhateverAMethodAsks) {
  const FaultOptions faults{.drop = 0.3,
                            .burst = 3,
                            .pause = 0.1,
                            .pause_rounds = 2,
                            .crash = 0.02,
                            .join_after = 4,
                            .late = 0.3,
                            .slow = 0.5};
  Weather quiet(fixed("complete", 6), faults);
  Weather busy(fixed("complete", 6), faults);
  for (Round t = 0; t < 100; ++t) {
    quiet.begin(t);
    busy.begin(t);
    for (int mixes = 0; mixes < 3; ++mixes) busy.count_late_letters();
    for (NodeId i = 0; i < 6; ++i) {
      busy.steps(i, 10);
      busy.reaches_server(i);
    }
    EXPECT_EQ(testing::dense(quiet.links()), testing::dense(busy.links()));
    EXPECT_EQ(quiet.members(), busy.members());
  }
}

// The chance is that of a node that is up; as with outages, another pause may follow at once.
TEST(Weather, DrawsPausesAsOftenAndAsLongAsIsAsked) {
  for (const double mean : {1.0, 5.0}) {
    constexpr double pause = 0.1;
    Weather weather(fixed("ring", 10), {.pause = pause, .pause_rounds = mean});
    std::vector<Spells> spells(10);
    std::vector<bool> was_up(10, true);
    double chances = 0;
    double pauses = 0;
    std::int64_t paused_rounds = 0;
    for (Round t = 0; t < 3000; ++t) {
      weather.begin(t);
      for (NodeId i = 0; i < 10; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const bool up = weather.is_up(i);
        chances += was_up[at] ? 1 : 0;
        pauses += was_up[at] && !up ? 1 : 0;
        paused_rounds += up ? 0 : 1;
        was_up[at] = up;
        spells[at].add(!up);
        EXPECT_TRUE(weather.is_member(i));
        EXPECT_EQ(weather.reaches_server(i), up);
      }
    }
    expect_share(pauses, chances, pause);
    std::vector<Round> lengths;
    for (const Spells& each : spells) {
      lengths.insert(lengths.end(), each.lengths().begin(), each.lengths().end());
    }
    expect_mean_length(lengths, mean / (1 - pause));
    EXPECT_EQ(weather.counts().pauses, paused_rounds);
  }
}

TEST(Weather, DrawsLateLettersAsOftenAndAsLateAsIsAsked) {
  constexpr Round rounds = 3000;
  constexpr double late = 0.4;
  constexpr Round most = 3;
  Weather weather(fixed("ring", 5), {.late = late, .late_rounds = most});
  std::map<Round, double> found;
  double both = 0;
  std::int64_t counted = 0;
  for (Round t = 0; t < rounds; ++t) {
    weather.begin(t);
    for (NodeId i = 0; i < 5; ++i) {
      const NodeId j = (i + 1) % 5;
      ++found[weather.lateness(i, j)];
      ++found[weather.lateness(j, i)];
      both += weather.lateness(i, j) > 0 && weather.lateness(j, i) > 0 ? 1 : 0;
      counted += (weather.lateness(i, j) > 0 ? 1 : 0) + (weather.lateness(j, i) > 0 ? 1 : 0);
    }
    weather.count_late_letters();
  }
  ASSERT_EQ(found.size(), most + 1);
  expect_share(found[0], 10 * rounds, 1 - late);
  for (Round r = 1; r <= most; ++r) expect_share(found[r], 10 * rounds, late / most);
  expect_share(both, 5 * rounds, late * late);  // the two ways know nothing of each other
  EXPECT_EQ(weather.counts().late_letters, counted);
}

TEST(Weather, LetsAShareOfTheNodesDoFewerSteps) {
  constexpr Round rounds = 3000;
  constexpr double slow = 0.3;
  Weather weather(fixed("ring", 5), {.slow = slow, .fewest_steps = 4});
  EXPECT_EQ(weather.steps(0, 6), 6);  // before the first round
  std::map<Step, double> found;
  for (Round t = 0; t < rounds; ++t) {
    weather.begin(t);
    for (NodeId i = 0; i < 5; ++i) {
      ++found[weather.steps(i, 7)];
      EXPECT_EQ(weather.steps(i, 4), 4);
      EXPECT_EQ(weather.steps(i, 1), 1);
    }
  }
  ASSERT_EQ(found.size(), 4);
  expect_share(found[7], 5 * rounds, 1 - slow);
  for (Step k = 4; k < 7; ++k) expect_share(found[k], 5 * rounds, slow / 3);
}

TEST(Weather, KeepsTheShareOfDropsFromTheServerToo) {
  constexpr double drop = 0.25;
  Weather weather(fixed("ring", 10), {.drop = drop});
  double away = 0;
  for (Round t = 0; t < 2000; ++t) {
    weather.begin(t);
    for (NodeId i = 0; i < 10; ++i) away += weather.reaches_server(i) ? 0 : 1;
  }
  expect_share(away, 20'000, drop);
}

// The mean of W_t² over many rounds.
TEST(Weather, HasTheExpectedPOfItsDrops) {
  for (const double burst : {1.0, 3.0}) {
    const MixingMatrix mixing = graph_of("ring", 7);
    Weather weather(make_fixed(mixing), {.drop = 0.3, .burst = burst});
    Eigen::MatrixXd mean = Eigen::MatrixXd::Zero(7, 7);
    constexpr Round rounds = 4000;
    for (Round t = 0; t < rounds; ++t) {
      weather.begin(t);
      const Eigen::MatrixXd w = testing::dense(weather.links());
      mean += w * w / rounds;
    }
    EXPECT_NEAR(testing::one_less_largest(mean), expected_p(mixing, 0.3), 0.01);
  }
}

TEST(Weather, SaysWhatMayHappen) {
  const auto says = [](const FaultOptions& faults, std::shared_ptr<const LinkSequence> links) {
    const Weather weather(std::move(links), faults);
    return std::array{weather.links_change(), weather.letters_wait(), weather.nodes_crash(),
                      weather.steps_differ()};
  };
  const auto on_ring = [&](const FaultOptions& faults) { return says(faults, fixed("ring", 4)); };
  EXPECT_EQ(on_ring({}), (std::array{false, false, false, false}));
  EXPECT_EQ(on_ring({.drop = 0.1}), (std::array{true, false, false, false}));
  EXPECT_EQ(on_ring({.pause = 0.1}), (std::array{true, false, false, false}));
  EXPECT_EQ(on_ring({.crash = 0.1}), (std::array{true, true, true, false}));
  EXPECT_EQ(on_ring({.late = 0.1}), (std::array{false, true, false, false}));
  EXPECT_EQ(on_ring({.slow = 0.1}), (std::array{false, false, false, true}));
  EXPECT_EQ(says({}, make_one_peer_exponential(4)), (std::array{true, false, false, false}));
  EXPECT_EQ(says({}, make_random_matching(4, 1)), (std::array{true, false, false, false}));
}

}  // namespace
}  // namespace driftless
