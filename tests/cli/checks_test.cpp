#include "driftless/cli/checks.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

// What the validator makes of the text, or its complaint.
std::string outcome(const CLI::Validator& validator, std::string text) {
  const std::string fault = validator(text);
  return fault.empty() ? text : fault;
}

TEST(Checks, ReadSizesWithTheirUnits) {
  EXPECT_EQ(outcome(takes_bytes(), "174720"), "174720");
  EXPECT_EQ(outcome(takes_bytes(), "175kB"), "175000");
  EXPECT_EQ(outcome(takes_bytes(), "175 KB"), "175000");
  EXPECT_EQ(outcome(takes_bytes(), "1.5MB"), "1500000");
  EXPECT_EQ(outcome(takes_bytes(), "2KiB"), "2048");
  EXPECT_EQ(outcome(takes_time(), "500us"), "0.0005");
  EXPECT_EQ(outcome(takes_rate(), "20Mbit"), "2500000");
}

TEST(Checks, RefuseSizesInWordsThatCanBeRead) {
  const std::string bytes =
      ": expected bytes from 1 to 1 EB, as 174720, 175kB or 171KiB (also MB, GB, TB, MiB, GiB)";
  for (const char* text : {"0", "-5", "1.5", "175kX", "kB", "", "2EB", "nan", "inf"}) {
    EXPECT_EQ(outcome(takes_bytes(), text), text + bytes);
  }
  EXPECT_EQ(outcome(takes_time(), "5"),
            "5: expected a time of at least 0 with its unit, as 500us, 2ms or 1s");
}

TEST(Checks, TellBoundsAsConfigsDo) {
  EXPECT_EQ(outcome(takes_integer(1, 4096), "4096"), "4096");
  const std::string bounds = "expected an integer of at least 1 and at most 4096";
  EXPECT_EQ(outcome(takes_integer(1, 4096), "0"), "0: " + bounds);
  EXPECT_EQ(outcome(takes_integer(1, 4096), "10x"), "10x: " + bounds);
  EXPECT_EQ(outcome(takes_number_from(0), "-1"), "-1: expected a number of at least 0");
}

TEST(Checks, AnswerANameWithTheNearest) {
  EXPECT_EQ(outcome(takes_one_of({"log", "linear"}), "log"), "log");
  EXPECT_EQ(outcome(takes_one_of({"log", "linear"}), "lin"),
            "lin: expected one of log, linear; did you mean linear?");
}

TEST(Checks, GiveTheChoicesToCompletions) {
  CLI::App app;
  std::string value;
  CLI::Option* option = app.add_option("--scale", value);
  EXPECT_TRUE(choices_of(*option).empty());
  option->check(takes_one_of({"log", "linear"}));
  EXPECT_EQ(choices_of(*option), (std::vector<std::string>{"log", "linear"}));
}

}  // namespace
}  // namespace driftless
