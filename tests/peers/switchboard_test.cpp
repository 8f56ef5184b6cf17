#include "driftless/network/peers/switchboard.hpp"

#include <gtest/gtest.h>

#include "tests/peers/relay.hpp"
#include "tests/peers/sites.hpp"
#include "tests/support/contains.hpp"

namespace driftless::peers::testing {
namespace {

using driftless::testing::contains;
using driftless::testing::TemporaryFolder;

bool come_up(Site& a, Site& b) {
  return comes_true(20, [&] { return a.edge().status().up && b.edge().status().up; });
}

// Both ends post and take so many letters of these bytes.
void exchange(Site& a, Site& b, unsigned rounds, std::size_t bytes) {
  for (unsigned t = 0; t < rounds; ++t) {
    ASSERT_TRUE(a.edge().post(t, body_of(bytes, t), 10));
    ASSERT_TRUE(b.edge().post(t, body_of(bytes, t + 100), 10));
    const auto at_a = next_letter(a.edge());
    const auto at_b = next_letter(b.edge());
    ASSERT_TRUE(at_a && at_b) << "round " << t;
    EXPECT_EQ(at_a->tag, t);
    EXPECT_EQ(*at_a->body, *body_of(bytes, t + 100));
    EXPECT_EQ(*at_b->body, *body_of(bytes, t));
  }
}

TEST(Switchboard, CarriesLettersBothWaysWhoeverCallsWhom) {
  for (const bool a_knows : {false, true}) {
    for (const bool b_knows : {false, true}) {
      if (!a_knows && !b_knows) continue;
      Site a("a"), b("b");
      a.meet("b", a_knows ? std::optional(b.address()) : std::nullopt).start();
      b.meet("a", b_knows ? std::optional(a.address()) : std::nullopt).start();
      for (const std::size_t bytes : {1, 1000, 3 << 20}) exchange(a, b, 3, bytes);
    }
  }
}

TEST(Switchboard, LeavesInOrder) {
  Site a("a"), b("b");
  a.meet(b).start();
  b.meet(a).start();
  exchange(a, b, 1, 100);
  a.edge().say_bye();
  EXPECT_TRUE(comes_true(15, [&] { return b.edge().status().left; }));
  EXPECT_FALSE(a.edge().wait_until_closed(0.1));
  b.edge().say_bye();
  EXPECT_TRUE(a.edge().wait_until_closed(5));
  EXPECT_TRUE(b.edge().wait_until_closed(5));
}

TEST(Switchboard, GoesOnThroughCutsWhereItWas) {
  Site a("a"), b("b");
  Relay relay(b.address());
  a.meet("b", relay.address()).start();
  b.meet("a", std::nullopt).start();
  // 160 MB cross the line; after each cut a new connection must bring some for the next.
  constexpr std::uint64_t cuts = 7, between = 20 << 20;
  std::thread scissors([&] {
    for (std::uint64_t k = 1; k <= cuts; ++k) {
      EXPECT_TRUE(comes_true(60, [&] { return relay.bytes() > k * between; }));
      relay.cut();
    }
  });
  exchange(a, b, 20, 4 << 20);
  scissors.join();
  EXPECT_TRUE(come_up(a, b));
  exchange(a, b, 1, 100);
  EXPECT_GT(a.edge().status().connections, cuts);
  EXPECT_EQ(a.edge().status().epoch, 0U) << "nothing began from zero";
  EXPECT_LT(a.edge().status().bytes_out, 40 * (4ULL << 20)) << "letters go on from where they were";
}

TEST(Switchboard, NoticesANeighbourThatIsGone) {
  Site a("a"), b("b");
  a.meet("b", std::nullopt).start();
  b.meet(a).start();
  ASSERT_TRUE(come_up(a, b));
  b.stop();
  EXPECT_TRUE(comes_true(5, [&] { return !a.edge().status().up; }));
}

TEST(Switchboard, NoticesALineThatIsHeldUpAndGoesOnAfterwards) {
  Site a("a"), b("b");
  Relay relay(b.address());
  a.meet("b", relay.address()).start();
  b.meet("a", std::nullopt).start();
  exchange(a, b, 1, 100);
  relay.hold_up(true);
  EXPECT_TRUE(comes_true(15, [&] { return !a.edge().status().up && !b.edge().status().up; }));
  EXPECT_TRUE(contains(b.edge().status().trouble, "a has fallen silent"));
  relay.hold_up(false);
  EXPECT_TRUE(come_up(a, b));
  exchange(a, b, 3, 1000);
  EXPECT_EQ(a.edge().status().epoch, 0U);
}

TEST(Switchboard, BothEndsSayWhyAnotherStudyIsRefused) {
  Site a("a"), b("b");
  a.meet(b, StudyHash{std::byte{1}}).start();
  b.meet(a, StudyHash{std::byte{2}}).start();
  for (Site* site : {&a, &b}) {
    EXPECT_TRUE(comes_true(15, [&] {
      return site->edge().status().trouble.find("has another study") != std::string::npos;
    })) << site->edge().status().trouble;
    EXPECT_FALSE(site->edge().status().met);
  }
}

// Sites whose certificates are not what their neighbours expect never meet, and both say why.
class TurnedAway : public ::testing::Test {
 protected:
  void expect_both_say(const Credentials& caller, const Credentials& called,
                       const std::string& at_caller, const std::string& at_called) {
    Site a("a"), b("b");
    a.meet("b", b.address()).start(caller);
    b.meet("a", std::nullopt).start(called);
    EXPECT_TRUE(comes_true(15, [&] {
      return b.switchboard().strangers().count > 0 &&
             a.edge().status().trouble.find(at_caller) != std::string::npos;
    })) << a.edge().status().trouble;
    EXPECT_TRUE(contains(b.switchboard().strangers().last, at_called));
    EXPECT_FALSE(a.edge().status().met || b.edge().status().met);
  }
};

TEST_F(TurnedAway, ACallerOfAnotherAuthority) {
  const TemporaryFolder folder;
  const TrialAuthority other("another authority");
  other.write(folder.path());
  other.issue(folder.path(), "a");
  // It trusts ours, so that it is the one that is turned away.
  const auto both = driftless::testing::contents_of(folder / "authority.pem") +
                    driftless::testing::contents_of(Certificates::get().folder() / "authority.pem");
  folder.write("authority.pem", both);
  expect_both_say({{folder / "authority.pem", folder / "a.pem", folder / "a.key"}, "a"},
                  Certificates::get().of("b"), "unknown ca", "its certificate is not accepted");
}

TEST_F(TurnedAway, ACallerWhoseCertificateHasExpired) {
  const TemporaryFolder folder;
  const TrialAuthority authority("short");
  authority.write(folder.path());
  authority.issue(folder.path(), "a", {.from = -60, .until = 1});
  authority.issue(folder.path(), "b");
  const CredentialFiles files{folder / "authority.pem", folder / "a.pem", folder / "a.key"};
  const Credentials soon(files, "a");
  const Credentials called({files.authority, folder / "b.pem", folder / "b.key"}, "b");
  std::this_thread::sleep_for(std::chrono::milliseconds(2100));
  expect_both_say(soon, called, "certificate expired",
                  "certificate has expired; look at the clocks");
}

TEST_F(TurnedAway, ACallerThatIsNoNeighbour) {
  expect_both_say(Certificates::get().of("c"), Certificates::get().of("b"), "ended",
                  "names none of our neighbours");
}

TEST(Switchboard, TurnsAwayWhoAnswersUnderAnotherName) {
  Site a("a"), c("c");
  a.meet("b", c.address()).start();
  c.meet("a", std::nullopt).start();
  EXPECT_TRUE(comes_true(15, [&] {
    return a.edge().status().trouble.find("ostname mismatch") != std::string::npos;
  })) << a.edge().status().trouble;
  EXPECT_FALSE(c.edge().status().met);
}

// A neighbour with a good certificate that speaks the protocol badly.
class BadNeighbour {
 public:
  explicit BadNeighbour(const Address& address)
      : connection_(TlsConnection::to(Certificates::get().of("b"), call(address), "a")) {
    EXPECT_TRUE(
        comes_true(15, [&] { return connection_.shake_hands() == TlsConnection::Step::done; }));
  }
  void say(const Head& head, const Body& body = {}) {
    const HeadBytes bytes = packed(head);
    say(bytes.data(), bytes.size());
    if (!body.empty()) say(body.data(), body.size());
  }
  void say_hello() {
    const Body body = packed(Hello{.program = "1", .from = "b", .to = "a", .life = 77});
    say({.kind = Kind::hello, .size = static_cast<std::uint32_t>(body.size())}, body);
  }
  void say(const std::byte* data, std::size_t size) {
    std::size_t moved = 0;
    EXPECT_EQ(connection_.write(data, size, moved), TlsConnection::Step::done);
  }
  // Whether the connection ends soon.
  bool is_cut_off(double seconds = 20) {
    return comes_true(seconds, [&] {
      std::byte buffer[4096];
      std::size_t moved = 0;
      return connection_.read(buffer, sizeof buffer, moved) == TlsConnection::Step::over;
    });
  }

 private:
  static Socket call(const Address& address) {
    std::string trouble;
    return dial(
        address, 1, [] { return false; }, trouble);
  }
  TlsConnection connection_;
};

TEST(HostileNeighbour, IsNamedAndCutOffAndDoesNoHarm) {
  Site a("a");
  a.meet("b", std::nullopt).meet("c", std::nullopt);
  Site c("c");
  c.meet(a);
  a.start();
  c.start();
  const auto greeted = [](BadNeighbour& b) { b.say_hello(); };
  const std::pair<std::string, std::function<void(BadNeighbour&)>> cases[] = {
      {"unknown kind", [](BadNeighbour& b) { b.say({.kind = Kind{0xabcdef}}); }},
      {"does not begin with a hello", [](BadNeighbour& b) { b.say({.kind = Kind::pulse}); }},
      {"are the most",
       [&](BadNeighbour& b) {
         greeted(b);
         b.say({.kind = Kind::piece, .size = 8, .numbers = {0, 0, 1ULL << 40, 0}}, Body(8));
       }},
      {"are allowed",
       [&](BadNeighbour& b) {
         greeted(b);
         b.say({.kind = Kind::piece, .size = 0x7fffffff, .numbers = {0, 0, 8, 0}});
       }},
      {"where letter 0 is due",
       [&](BadNeighbour& b) {
         greeted(b);
         b.say({.kind = Kind::piece, .size = 8, .numbers = {5, 0, 8, 0}}, Body(8));
       }},
      {"has fallen silent", [](BadNeighbour&) {}},
  };
  for (const auto& [words, misbehave] : cases) {
    // After a refusal calls wait for a while.
    BadNeighbour b(a.address());
    misbehave(b);
    EXPECT_TRUE(b.is_cut_off()) << words;
    EXPECT_TRUE(contains(a.edge(0).status().trouble, words));
    EXPECT_TRUE(contains(a.edge(0).status().trouble, "b "));
  }
  ASSERT_TRUE(a.edge(1).post(1, body_of(100, 1), 5))
      << "the other neighbour is served all the time";
  EXPECT_TRUE(next_letter(c.edge()));
  EXPECT_EQ(a.edge(1).status().connections, 1U);
}

TEST(Stranger, WithoutACertificateCostsAHandshakeAndNoMore) {
  Site a("a"), b("b");
  a.meet("b", std::nullopt).start();
  std::vector<Socket> silent;
  silent.reserve(20);
  std::string trouble;
  for (int k = 0; k < 20; ++k) {
    silent.push_back(dial(
        a.address(), 1, [] { return false; }, trouble));
  }
  b.meet(a).start();
  EXPECT_TRUE(come_up(a, b)) << "callers that say nothing hold up nobody";
  EXPECT_TRUE(comes_true(20, [&] { return a.switchboard().strangers().count >= 20; }));
}

}  // namespace
}  // namespace driftless::peers::testing
