#include "driftless/base/parse_json.hpp"

#include <gtest/gtest.h>

#include "driftless/base/error.hpp"
#include "tests/support/data_files.hpp"

namespace driftless::testing {
namespace {

std::string json_refusal(std::string_view text) {
  return message_of<DataError>([&] { parse_json(text, "a.json"); });
}

std::string nested(int levels) { return std::string(levels, '[') + "1" + std::string(levels, ']'); }

TEST(ParseJson, RefusesWhatNestsDeep) {
  EXPECT_EQ(parse_json(nested(64), "a.json").size(), 1U);
  for (const int levels : {65, 300'000}) {
    EXPECT_EQ(json_refusal(nested(levels)), "a.json: not valid JSON: nests deeper than 64 levels");
    EXPECT_EQ(json_refusal(std::string(levels, '[')),
              "a.json: not valid JSON: nests deeper than 64 levels");
  }
}

TEST(ParseJson, DoesNotTakeTextsForBrackets) {
  const std::string text = R"({"a\"[": ")" + std::string(100, '[') + R"(\\", "b": "{"})";
  EXPECT_EQ(parse_json(text, "a.json").size(), 2U);
  EXPECT_EQ(json_refusal(R"(["\\", )" + nested(70) + "]"),
            "a.json: not valid JSON: nests deeper than 64 levels");
}

TEST(ParseJson, RefusesAKeyThatIsGivenTwice) {
  EXPECT_EQ(json_refusal(R"({"a": 1, "b": 2, "a": 3})"), "a.json: the key \"a\" is given twice");
  EXPECT_EQ(json_refusal(R"([{"x": {"c": 1, "c": 1}}])"), "a.json: the key \"c\" is given twice");
  EXPECT_EQ(json_refusal(R"({"a": {"b": 1}, "b": {"a": {"b": 1}}, "c": [{"b": 1}, {"b": 2}]})"),
            "");
}

TEST(ParseJson, RefusesBytesAfterAZero) {
  EXPECT_EQ(json_refusal(std::string("[1]\0, rubbish", 13)),
            "a.json: not valid JSON: byte 3 is zero");
}

TEST(ParseJson, TellsTheFaultWithoutTheNamesOfTheParser) {
  for (const char* text : {"", "[1", "[1e999]", "{\"a\"}", "[\"\xff\"]", "1 2"}) {
    EXPECT_TRUE(json_refusal(text).starts_with("a.json: not valid JSON: ")) << text;
    EXPECT_EQ(json_refusal(text).find("exception"), std::string::npos) << json_refusal(text);
  }
}

}  // namespace
}  // namespace driftless::testing
