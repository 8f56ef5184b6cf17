#include "driftless/network/peers/frame.hpp"

#include <gtest/gtest.h>

#include "tests/support/contains.hpp"

namespace driftless::peers {
namespace {

Hello some_hello() {
  Hello hello{.program = "0.1.0", .from = "clinic-a", .to = "clinic-b"};
  hello.study[3] = std::byte{7};
  hello.life = 1ULL << 63;
  hello.your_life = 3;
  hello.epoch = 4;
  hello.first = 5;
  hello.seq = 6;
  hello.offset = 7;
  return hello;
}

std::string refusal_of(const auto& work) {
  try {
    work();
  } catch (const Refused& refused) {
    return refused.what();
  }
  return "not refused";
}

TEST(Frame, HeadsComeBackAsTheyWere) {
  for (const Head& head :
       {Head{.kind = Kind::hello, .size = 100}, Head{.kind = Kind::refusal},
        Head{.kind = Kind::piece, .size = 1 << 18, .numbers = {1, 2, 3ULL << 40, 4}},
        Head{.kind = Kind::pulse, .numbers = {9, 8, 7, ~0ULL}}, Head{.kind = Kind::bye}}) {
    EXPECT_EQ(unpack_head(packed(head)), head);
  }
}

TEST(Frame, NumbersAreLittleEndian) {
  const HeadBytes bytes = packed(Head{.kind = Kind::pulse, .numbers = {0x0102, 0, 0, 0}});
  EXPECT_EQ(bytes[0], std::byte{4});
  EXPECT_EQ(bytes[8], std::byte{2});
  EXPECT_EQ(bytes[9], std::byte{1});
}

TEST(Frame, HeadsThatBreakTheRulesAreRefusedInWords) {
  const auto refusal = [](const Head& head) {
    return refusal_of([&] { unpack_head(packed(head)); });
  };
  EXPECT_EQ(refusal({.kind = Kind{0}}), "sends frames of the unknown kind 0");
  EXPECT_EQ(refusal({.kind = Kind{6}}), "sends frames of the unknown kind 6");
  EXPECT_EQ(refusal({.kind = Kind::piece, .size = most_piece_bytes + 1}),
            "sends a frame of 1048577 bytes, where 1 to 1048576 are allowed");
  EXPECT_EQ(refusal({.kind = Kind::piece, .size = 0}),
            "sends a frame of 0 bytes, where 1 to 1048576 are allowed");
  EXPECT_EQ(refusal({.kind = Kind::hello, .size = 0xffffffff}),
            "sends a frame of 4294967295 bytes, where 1 to 1024 are allowed");
  EXPECT_EQ(refusal({.kind = Kind::pulse, .size = 1}),
            "sends a frame of 1 bytes, where 0 to 0 are allowed");
  EXPECT_EQ(refusal({.kind = Kind::bye, .numbers = {0, 0, 0, 1}}),
            "sends numbers with a frame that has none");
}

TEST(Frame, AHelloComesBackAsItWas) { EXPECT_EQ(unpack_hello(packed(some_hello())), some_hello()); }

TEST(Frame, AHelloThatIsCutOffOrTooLongIsRefused) {
  Body bytes = packed(some_hello());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW(unpack_hello(std::span(bytes).first(size)), Refused) << size;
  }
  bytes.push_back({});
  EXPECT_EQ(refusal_of([&] { unpack_hello(bytes); }), "sends a hello that is too long");
}

TEST(Frame, AHelloOfAnotherVersionIsRefusedWhateverElseItSays) {
  Hello hello = some_hello();
  hello.version = 2;
  Body bytes = packed(hello);
  bytes.resize(4);
  EXPECT_TRUE(testing::contains(refusal_of([&] { unpack_hello(bytes); }), "speaks version 2"));
}

TEST(Frame, AHelloWithNumbersThatWereNeverCountedIsRefused) {
  for (const auto& spoil :
       {+[](Hello& hello) { hello.life = 0; }, +[](Hello& hello) { hello.epoch = ~0ULL; },
        +[](Hello& hello) { hello.first = ~0ULL; }}) {
    Hello hello = some_hello();
    spoil(hello);
    EXPECT_THROW(unpack_hello(packed(hello)), Refused);
  }
}

TEST(Frame, WordsOfANeighbourCannotSteerATerminal) {
  EXPECT_EQ(plain_words("no\x1b[2J\n way\xff"), "no?[2J? way?");
  EXPECT_EQ(plain_words(std::string(1000, 'a')).size(), most_reason_bytes);
}

}  // namespace
}  // namespace driftless::peers
