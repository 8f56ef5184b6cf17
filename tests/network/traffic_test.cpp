// Bytes, counted by hand.
#include "driftless/network/traffic.hpp"

#include <gtest/gtest.h>

#include "driftless/graph/families.hpp"
#include "driftless/graph/weights.hpp"
#include "driftless/network/local_network.hpp"

namespace driftless::testing {
namespace {

MixingMatrix of_graph(const std::string& family, NodeId nodes) {
  return make_mixing(make_graph({.family = family, .nodes = nodes}), Weights::metropolis);
}

// Two rows of 50 numbers a letter, as K-GT sends.
struct Sender {
  explicit Sender(Conditions conditions) : network(std::move(conditions)) { network.start(x); }
  void round(Round t) {
    network.begin_round(t, x, nobody);
    network.mix({&x, &z});
  }
  LocalNetwork network;
  Rows<double> x{network.hosted(), 50};
  Rows<double> z{network.hosted(), 50};
  Member<double> nobody;
};

constexpr Bytes letter = sizeof(double) * 2 * 50;

TEST(Traffic, OfLinksThatChangeIsThatOfThoseThatCarry) {
  Sender sender({.links = make_fixed(of_graph("star", 5)),
                 .trace = {{.event = Event::link_down, .node = 0, .peer = 3},
                           {.round = 1, .event = Event::pause, .node = 0},
                           {.round = 2, .event = Event::resume, .node = 0},
                           {.round = 2, .event = Event::crash, .node = 4}}});
  sender.round(0);  // the hub and three others
  EXPECT_EQ(sender.network.traffic().total(), 3 * (2 * letter));
  EXPECT_EQ(sender.network.traffic().busiest(), 3 * (2 * letter));
  sender.round(1);  // nobody without the hub
  EXPECT_EQ(sender.network.traffic().total(), 3 * (2 * letter));
  sender.round(2);  // the hub, 1 and 2
  EXPECT_EQ(sender.network.traffic().total(), 5 * (2 * letter));
  EXPECT_EQ(sender.network.traffic().busiest(), 5 * (2 * letter));
  EXPECT_EQ(sender.network.traffic().counts().nodes,
            (std::vector<Bytes>{10 * letter, 4 * letter, 4 * letter, 0, 2 * letter}));
}

// Of five nodes two pairs meet in rounds 0 and 1, one in round 2.
TEST(Traffic, OfASequenceIsThatOfItsRounds) {
  Sender sender({.links = make_one_peer_exponential(5)});
  for (Round t = 0; t < 3; ++t) sender.round(t);
  EXPECT_EQ(sender.network.traffic().total(), (2 + 2 + 1) * (2 * letter));
  EXPECT_EQ(sender.network.traffic().busiest(), 3 * (2 * letter)) << "node 0 meets 1, 2 and 4";
}

// A late letter is sent in its own round.
TEST(Traffic, OfALateLetterIsCountedOnce) {
  Sender sender({.links = make_fixed(of_graph("path", 2)),
                 .trace = {{.event = Event::late, .node = 0, .peer = 1, .value = 1}}});
  sender.round(0);
  EXPECT_EQ(sender.network.traffic().total(), 2 * letter);
  sender.round(1);
  EXPECT_EQ(sender.network.traffic().total(), 4 * letter);
}

// int4 in blocks of 64: 25 bytes of codes and an exponent; top_k of 10 %: 5 numbers, 6 bits for
// each of their places; bf16: 2 bytes a number.
TEST(Traffic, OfPackedLettersIsThatOfTheirBytes) {
  const auto sent = [](const CompressionOptions& options) {
    Sender sender({.links = make_fixed(of_graph("ring", 10)),
                   .codecs = {nullptr, make_codec<double>(options)}});
    sender.round(0);
    EXPECT_EQ(sender.network.traffic().busiest(), 4U * sender.network.traffic().edge());
    EXPECT_EQ(sender.network.traffic().total(), 20U * sender.network.traffic().edge());
    return sender.network.traffic().edge();
  };
  EXPECT_EQ(sent({}), letter);
  EXPECT_EQ(sent({.codec = "int4"}), 2U * (25 + 1));
  EXPECT_EQ(sent({.codec = "top_k", .keep = 0.1}), 2U * (5 * 8 + 4));
  EXPECT_EQ(sent({.codec = "bf16"}), 2U * 100);
}

TEST(Traffic, OfAServerIsThatOfWhoReachesIt) {
  Sender sender(
      {.links = make_fixed(of_graph("ring", 4)), .trace = {{.event = Event::pause, .node = 2}}});
  sender.network.begin_round(0, sender.x, sender.nobody);
  sender.network.average({&sender.x});  // three nodes
  EXPECT_EQ(sender.network.traffic().total(), 3 * (2 * letter) / 2);
  EXPECT_EQ(sender.network.traffic().busiest(), 3 * (2 * letter) / 2) << "the server";
  EXPECT_EQ(sender.network.traffic().counts().nodes,
            (std::vector<Bytes>{letter, letter, 0, letter}));
  sender.network.mix({&sender.x});  // two links, 0 to 1 and 0 to 3
  EXPECT_EQ(sender.network.traffic().total(), (3 + 2) * letter);
  EXPECT_EQ(sender.network.traffic().busiest(), 3 * letter);
}

TEST(Traffic, GoesOnFromItsCounts) {
  Traffic whole(of_graph("star", 4).rows());
  whole.count_exchange(10);
  whole.count_uplink(1, 7);
  whole.count_global_average(3);
  Traffic resumed(of_graph("star", 4).rows());
  resumed.resume(whole.counts());
  EXPECT_EQ(resumed.total(), 3U * 2 * 10 + 2 * 7 + 4 * 2 * 3);
  EXPECT_EQ(resumed.total(), whole.total());
  EXPECT_EQ(resumed.busiest(), whole.busiest());
}

}  // namespace
}  // namespace driftless::testing
