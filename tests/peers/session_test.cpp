#include "driftless/network/peers/session.hpp"

#include <gtest/gtest.h>

#include "tests/peers/session_world.hpp"
#include "tests/support/contains.hpp"

namespace driftless::peers::testing {
namespace {

using driftless::testing::contains;

constexpr int worlds = 60;
constexpr int steps = 2000;

WorldCounts live_in_worlds(const WorldOptions& options) {
  WorldCounts sum;
  for (std::uint64_t seed = 0; seed < worlds && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("world " + std::to_string(seed));
    World world(seed, options);
    world.live(steps);
    world.settle();
    EXPECT_TRUE(world.part());
    sum.cuts += world.counts().cuts;
    sum.crashes += world.counts().crashes;
    sum.letters += world.counts().letters;
    sum.starts_from_zero += world.counts().starts_from_zero;
    sum.deaths += world.counts().deaths;
  }
  return sum;
}

TEST(Session, BringsLettersOnceEachAndInOrderThroughCuts) {
  const WorldCounts counts = live_in_worlds({});
  EXPECT_GT(counts.cuts, 1000U);
  EXPECT_GT(counts.letters, 10'000U);
  EXPECT_LT(counts.starts_from_zero, 10U) << "only where a cut fell between the first hellos";
}

TEST(Session, BothEndsBeginFromZeroAfterACrashOrADeath) {
  const WorldCounts counts = live_in_worlds({.forget = 0.002, .dead_after = 8});
  EXPECT_GT(counts.crashes, 100U);
  EXPECT_GT(counts.deaths, 50U);
  EXPECT_GT(counts.starts_from_zero, 100U);
}

TEST(Session, GoesOnWhereItWasAfterACrashThatLeftACheckpoint) {
  const WorldCounts counts = live_in_worlds({.remember = 0.003});
  EXPECT_GT(counts.crashes, 100U);
  EXPECT_LT(counts.starts_from_zero, counts.crashes / 10);  // only before a first checkpoint
}

TEST(Session, BearsCutsCrashesAndDeathsTogether) {
  live_in_worlds({.forget = 0.001, .remember = 0.003, .dead_after = 8});
}

// One end, held to what a neighbour sends by hand.
class OneSession : public ::testing::Test {
 protected:
  Hello hello() const { return {.program = "1", .from = "b", .to = "a", .life = 9}; }
  void hear(const Head& head, std::span<const std::byte> body = {}) {
    const std::span<std::byte> place = session_.place_for(unpack_head(packed(head)));
    std::ranges::copy(body, place.begin());
    session_.filled(0);
  }
  void hear(const Hello& hello) {
    const Body body = packed(hello);
    hear({.kind = Kind::hello, .size = static_cast<std::uint32_t>(body.size())}, body);
  }
  void hear_piece(std::uint64_t seq, std::uint64_t tag, std::uint64_t total, std::uint64_t offset,
                  std::uint32_t size) {
    hear({.kind = Kind::piece, .size = size, .numbers = {seq, tag, total, offset}}, Body(size));
  }
  void meet() {
    session_.open(0);
    hear(hello());
  }
  void post(std::size_t bytes = 8) { session_.post(0, std::make_shared<Body>(bytes)); }
  Head say() {
    const auto out = session_.next(0);
    return out ? unpack_head(out->head) : Head{.kind = Kind{0}};
  }
  std::string refusal(const auto& work) {
    try {
      work();
    } catch (const Refused& refused) {
      return refused.what();
    }
    return "not refused";
  }

  Session session_{{.most_bytes = 100}, {.program = "1", .own = "a", .neighbour = "b", .life = 5}};
};

TEST_F(OneSession, RefusesAnotherStudyInWords) {
  Hello other = hello();
  other.study[0] = std::byte{0xab};
  session_.open(0);
  const std::string words = refusal([&] { hear(other); });
  EXPECT_TRUE(contains(words, "has another study: ab0000000000… at b"));
  EXPECT_TRUE(contains(words, "000000000000… at a"));
  EXPECT_FALSE(session_.is_up());
}

TEST_F(OneSession, RefusesAnotherName) {
  for (const auto& [from, to] : {std::pair("c", "a"), std::pair("b", "c"), std::pair("a", "b")}) {
    Hello other = hello();
    other.from = from;
    other.to = to;
    session_.open(0);
    EXPECT_TRUE(contains(refusal([&] { hear(other); }), "calls itself"));
  }
}

TEST_F(OneSession, HearsNothingBeforeAHelloAndNoSecondOne) {
  session_.open(0);
  EXPECT_EQ(refusal([&] { hear({.kind = Kind::pulse}); }), "does not begin with a hello");
  EXPECT_EQ(refusal([&] { hear_piece(0, 0, 8, 0, 8); }), "does not begin with a hello");
  meet();
  EXPECT_EQ(refusal([&] { hear(hello()); }), "says hello twice");
}

TEST_F(OneSession, MakesRoomForNoMoreThanTheLargestLetter) {
  meet();
  hear_piece(0, 0, 100, 0, 100);
  EXPECT_EQ(refusal([&] { hear_piece(1, 0, 101, 0, 100); }),
            "sends a letter of 101 bytes, where 100 are the most");
  EXPECT_TRUE(contains(refusal([&] { hear_piece(1, 0, ~0ULL, 0, 8); }), "are the most"));
}

TEST_F(OneSession, TakesNoLetterTwiceAndNoneOutOfOrder) {
  meet();
  hear_piece(0, 0, 8, 0, 8);
  EXPECT_EQ(refusal([&] { hear_piece(0, 0, 8, 0, 8); }), "sends letter 0, where letter 1 is due");
  EXPECT_EQ(refusal([&] { hear_piece(2, 0, 8, 0, 8); }), "sends letter 2, where letter 1 is due");
}

TEST_F(OneSession, TakesOnlyPiecesThatFitTogether) {
  const std::string words = "sends pieces that do not fit together";
  meet();
  EXPECT_EQ(refusal([&] { hear_piece(0, 0, 8, 4, 4); }), words) << "the beginning is missing";
  hear_piece(0, 0, 8, 0, 4);
  EXPECT_EQ(refusal([&] { hear_piece(0, 0, 9, 4, 4); }), words) << "another size";
  EXPECT_EQ(refusal([&] { hear_piece(0, 1, 8, 4, 4); }), words) << "another tag";
  EXPECT_EQ(refusal([&] { hear_piece(0, 0, 8, 4, 5); }), words) << "beyond the end";
  EXPECT_EQ(refusal([&] { hear_piece(0, 0, 8, 5, 3); }), words) << "a gap";
  hear_piece(0, 0, 8, 4, 4);
}

TEST_F(OneSession, BearsNoMoreLettersThanItsWindow) {
  meet();
  hear_piece(0, 0, 8, 0, 8);
  hear_piece(1, 0, 8, 0, 8);
  EXPECT_EQ(refusal([&] { hear_piece(2, 0, 8, 0, 8); }),
            "sends more letters than there is room for");
}

TEST_F(OneSession, BelievesNoReceiptForWhatItHasNotSent) {
  const std::string words = "sends receipts for letters that it cannot have";
  meet();
  session_.take();
  post();
  EXPECT_EQ(refusal([&] { hear({.kind = Kind::pulse, .numbers = {1, 1, 1, 0}}); }), words);
  while (say().kind != Kind::piece) {
  }
  EXPECT_EQ(refusal([&] { hear({.kind = Kind::pulse, .numbers = {2, 1, 1, 0}}); }), words);
  EXPECT_EQ(refusal([&] { hear({.kind = Kind::pulse, .numbers = {0, 1, 0, 0}}); }), words);
  hear({.kind = Kind::pulse, .numbers = {1, 1, 1, 0}});
  EXPECT_EQ(refusal([&] { hear({.kind = Kind::pulse, .numbers = {1, 1, 0, 0}}); }), words);
}

TEST_F(OneSession, HasRoomForItsWindowOnly) {
  EXPECT_FALSE(session_.has_room()) << "they have not met";
  meet();
  post();
  post();
  EXPECT_FALSE(session_.has_room());
  while (say().kind != Kind{0}) {
  }
  hear({.kind = Kind::pulse, .numbers = {2, 1, 1, 0}});
  EXPECT_TRUE(session_.has_room());
}

TEST_F(OneSession, HearsNoLettersAfterABye) {
  meet();
  hear({.kind = Kind::bye});
  EXPECT_EQ(refusal([&] { hear_piece(0, 0, 8, 0, 8); }), "sends letters after its bye");
}

TEST_F(OneSession, ResendsFromTheByteWhereItWasCut) {
  meet();
  session_.take();
  post(40);
  while (say().kind != Kind::piece) {
  }
  session_.lost();
  session_.open(1);
  Hello again = hello();
  again.your_life = 5;
  again.offset = 30;
  hear(again);
  Head head = say();
  while (head.kind != Kind::piece) head = say();
  EXPECT_EQ(head.size, 10U);
  EXPECT_EQ(head.numbers, (std::array<std::uint64_t, 4>{0, 0, 40, 30}));
}

TEST_F(OneSession, BeginsFromZeroInAnEpochThatNeitherEndHasHad) {
  meet();
  while (session_.take()) {
  }
  post();
  session_.open(1);
  Hello again = hello();
  again.your_life = 5;
  again.epoch = 3;
  hear(again);
  EXPECT_EQ(session_.epoch(), 4U);
  EXPECT_FALSE(session_.has_room()) << "the application has not heard of it";
  const auto news = session_.take();
  ASSERT_TRUE(news);
  EXPECT_EQ(news->news, News::restarted);
  EXPECT_EQ(session_.remember().next_seq, 0U);
  EXPECT_TRUE(session_.has_room());
}

// As where a site came back with a checkpoint from before its last one.
TEST_F(OneSession, BeginsFromZeroWhereALetterIsGone) {
  Hello again = hello();
  again.your_life = 5;
  for (const bool is_ours : {true, false}) {
    session_ = Session({.most_bytes = 100}, {.own = "a", .neighbour = "b", .life = 5});
    meet();
    post();
    while (say().kind != Kind::piece) {
    }
    if (is_ours) hear({.kind = Kind::pulse, .numbers = {1, 1, 1, 0}});  // and it needs it again
    again.first = again.seq = is_ours ? 0 : 1;
    session_.open(1);
    hear(again);
    EXPECT_EQ(session_.epoch(), 1U);
  }
}

TEST_F(OneSession, SaysWhyItRefusesAndNothingElse) {
  meet();
  post();
  session_.refuse("no\nmore");
  const auto out = session_.next(0);
  ASSERT_TRUE(out);
  EXPECT_EQ(unpack_head(out->head).kind, Kind::refusal);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(out->body.data()), out->body.size()),
            "no?more");
  EXPECT_FALSE(session_.next(100));
}

TEST_F(OneSession, ConnectionsThatComeAndGoFillNoMemory) {
  for (int k = 0; k < 1000; ++k) {
    session_.open(0);
    Hello again = hello();
    again.your_life = k == 0 ? 0 : 5;
    hear(again);
    session_.lost();
  }
  int news = 0;
  while (session_.take()) ++news;
  EXPECT_LE(news, 2);
}

TEST_F(OneSession, LosesANeighbourOfWhomNothingWasHeardForLong) {
  Session session({.dead_after = 10}, {.own = "a", .neighbour = "b", .life = 5});
  session.watch(100);
  session.watch(1000);
  EXPECT_FALSE(session.take()) << "whom it never met it cannot lose";
  session.open(1000);
  const Body body = packed(hello());
  const Head head{.kind = Kind::hello, .size = static_cast<std::uint32_t>(body.size())};
  std::ranges::copy(body, session.place_for(head).begin());
  session.filled(1000);
  EXPECT_FALSE(session.is_silent(1007));
  EXPECT_TRUE(session.is_silent(1009));
  session.lost();
  session.watch(1009);
  EXPECT_TRUE(session.has_met());
  session.watch(1011);
  EXPECT_FALSE(session.has_met());
  const auto news = session.take();
  ASSERT_TRUE(news);
  EXPECT_EQ(news->news, News::died);
}

}  // namespace
}  // namespace driftless::peers::testing
