#include "driftless/data/decimal.hpp"

#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>

namespace driftless::testing {
namespace {

// The bits of the number that std::from_chars reads, after a plus sign that it does not know.
std::optional<std::uint64_t> slow_bits(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || rest != text.data() + text.size()) return std::nullopt;
  if (!std::isfinite(value)) return std::nullopt;
  return std::bit_cast<std::uint64_t>(value);
}

std::optional<std::uint64_t> fast_bits(std::string_view text) {
  const auto value = parse_decimal(text);
  return value ? std::optional(std::bit_cast<std::uint64_t>(*value)) : std::nullopt;
}

TEST(Decimal, HardNumbersHaveTheBitsOfFromChars) {
  for (const char* text : {"0",
                           "-0",
                           "+0",
                           "0.0",
                           "-0.0",
                           "1",
                           "-1",
                           "+1",
                           ".5",
                           "5.",
                           "-.5e1",
                           "0.1",
                           "0.3",
                           "9007199254740992",
                           "9007199254740993",
                           "9007199254740991",
                           "9007199254740993.0",
                           "9007199254740992e22",
                           "9007199254740991e22",
                           "9007199254740991e-22",
                           "1e22",
                           "1e23",
                           "1e-22",
                           "1e-23",
                           "123456789012345678",
                           "9999999999999999999",
                           "18446744073709551616",
                           "99999999999999999999",
                           "0.00000000000000000000001",
                           "1.7976931348623157e308",
                           "2.2250738585072014e-308",
                           "4.9e-324",
                           "2.4703282292062328e-324",
                           "5e-324",
                           "2.2250738585072011e-308",
                           "0e999",
                           "0.000e-500",
                           "1E5",
                           "1e+5",
                           "1e-05",
                           "1e005",
                           "100000000000000000000000",
                           "6.02214076e23",
                           "1.000000000000000000000000000000000001"}) {
    EXPECT_EQ(fast_bits(text), slow_bits(text)) << text;
    EXPECT_TRUE(fast_bits(text).has_value() || std::string(text).find("324") != std::string::npos ||
                std::string(text).starts_with("0"))
        << text;
  }
}

TEST(Decimal, WhatIsNoFiniteNumberIsNone) {
  for (const char* text : {"",      "-",
                           "+",     ".",
                           "-.",    "e5",
                           "1e",    "1e+",
                           "1e5.0", "1.2.3",
                           "1,5",   " 1",
                           "1 ",    "0x10",
                           "nan",   "inf",
                           "-inf",  "+-1",
                           "-+1",   "--1",
                           "1e999", "-1e999",
                           "1_000", "12a",
                           "a12",   "1e99999999999999999999"}) {
    EXPECT_FALSE(parse_decimal(text).has_value()) << text;
  }
}

TEST(Decimal, RandomNumbersHaveTheBitsOfFromChars) {
  std::mt19937_64 random(7);
  const auto below = [&](std::uint64_t bound) { return random() % bound; };
  const auto digits = [&](std::uint64_t count) {
    std::string text;
    for (std::uint64_t k = 0; k < count; ++k) text += static_cast<char>('0' + below(10));
    return text;
  };
  for (int k = 0; k < 300'000; ++k) {
    std::string text(below(3) == 0 ? "-" : below(5) == 0 ? "+" : "");
    text += digits(below(12));
    if (below(3) != 0) text += "." + digits(below(14));
    if (below(3) == 0) {
      text += below(2) == 0 ? "e" : "E-";
      text += std::to_string(below(below(4) == 0 ? 330 : 26));
    }
    ASSERT_EQ(fast_bits(text), slow_bits(text)) << text;
  }
}

// What a program prints of a double, in all ways that are usual.
TEST(Decimal, PrintedDoublesHaveTheBitsOfFromChars) {
  std::mt19937_64 random(11);
  for (int k = 0; k < 100'000; ++k) {
    const auto value = std::bit_cast<double>(random());
    if (!std::isfinite(value)) continue;
    for (const char* format : {"%.17g", "%.6g", "%.6e"}) {
      char text[64];
      std::snprintf(text, sizeof text, format, value);
      ASSERT_EQ(fast_bits(text), slow_bits(text)) << text;
    }
    char text[64];
    std::snprintf(text, sizeof text, "%.6f", std::fmod(value, 1e6));
    ASSERT_EQ(fast_bits(text), slow_bits(text)) << text;
  }
}

}  // namespace
}  // namespace driftless::testing
