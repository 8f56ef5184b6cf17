#include "driftless/config/parse_toml.hpp"

#include <gtest/gtest.h>

#include "driftless/base/error.hpp"
#include "tests/support/data_files.hpp"

namespace driftless::testing {
namespace {

std::string toml_refusal(std::string_view text) {
  return message_of<ConfigError>([&] { parse_toml(text, "a.toml"); });
}

// part part part …
std::string repeated(std::string_view part, int times) {
  std::string all;
  for (int k = 0; k < times; ++k) all += part;
  return all;
}

TEST(ParseToml, RefusesKeysOfManyDots) {
  EXPECT_EQ(toml_refusal(repeated("a.", 32) + "a = 1"), "");
  const std::string told = "a.toml:2: more than 32 dots in a key";
  for (const int dots : {33, 40'000}) {
    EXPECT_EQ(toml_refusal("\n" + repeated("a.", dots) + "a = 1"), told);
    EXPECT_EQ(toml_refusal("\n[" + repeated("a . ", dots) + "a]"), told);
    EXPECT_EQ(toml_refusal("\nx = {" + repeated("\"=,\".", dots) + "a = 1}"), told);
    EXPECT_EQ(toml_refusal("\n" + repeated("''.", dots) + "a = 1"), told);
  }
}

TEST(ParseToml, RefusesBracketsThatNestDeep) {
  EXPECT_EQ(toml_refusal("a = " + repeated("[", 32) + repeated("]", 32)), "");
  const std::string told = "a.toml:1: more than 32 brackets in one another";
  for (const int levels : {33, 300'000}) {
    EXPECT_EQ(toml_refusal("a = " + repeated("[", levels)), told);
    EXPECT_EQ(toml_refusal("a = " + repeated("{b=", levels)), told);
  }
}

TEST(ParseToml, TakesNumbersTextsAndCommentsForWhatTheyAre) {
  EXPECT_EQ(toml_refusal("a = [" + repeated("0.5, ", 1000) + "1.5]"), "");
  EXPECT_EQ(toml_refusal("a = '" + repeated(".[", 1000) + "'"), "");
  EXPECT_EQ(toml_refusal("a = \"\\\"" + repeated(".[", 1000) + "\""), "");
  EXPECT_EQ(toml_refusal("a = 1 # it's " + repeated(".[", 1000) + "\nb = 2"), "");
  EXPECT_EQ(toml_refusal("a = 1 # the end" + repeated(".[", 1000)), "");
  EXPECT_EQ(
      toml_refusal("a = '''\n'" + repeated(".[\n", 1000) + "'''\n" + repeated("b.", 40) + "b = 1"),
      "a.toml:1003: more than 32 dots in a key");
}

// Up to two quotes may stand before the three that end a long text: they open nothing.
TEST(ParseToml, FindsTheEndOfALongText) {
  for (const char* text : {"\"\"\"a\"\"\"", "\"\"\"a\"\"\"\"", "\"\"\"a\"\"\"\"\"", "'''a''''",
                           "\"\"\"\\\"\"\"\"", "\"\"", "''''''"}) {
    EXPECT_EQ(toml_refusal("a = " + std::string(text)), "") << text;
    EXPECT_EQ(toml_refusal("a = " + std::string(text) + "\n" + repeated("b.", 40) + "b = '\"'"),
              "a.toml:2: more than 32 dots in a key")
        << text;
  }
}

TEST(ParseToml, RefusesATextThatIsTooLong) {
  EXPECT_EQ(toml_refusal("#" + std::string(longest_config, ' ')),
            "a.toml: has 4000001 bytes; a config has at most 4000000");
}

}  // namespace
}  // namespace driftless::testing
