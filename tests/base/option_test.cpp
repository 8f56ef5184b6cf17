#include "driftless/base/option.hpp"

#include <gtest/gtest.h>

#include "driftless/base/error.hpp"
#include "tests/support/contains.hpp"

namespace driftless::testing {
namespace {

struct Oven {
  int plates = 2;
  double heat = 180;
  bool fan = false;
  std::string mode = "top";
  std::optional<int> minutes = {};
  std::filesystem::path recipe = {};

  static void describe(OptionsOf<Oven>& options) {
    options.add("plates", &Oven::plates, "in use").at_least(1).at_most(4);
    options.add("heat", &Oven::heat, "in degrees").above(0);
    options.add("fan", &Oven::fan, "turns");
    options.add("mode", &Oven::mode, "where heat comes from").one_of({"top", "bottom"});
    options.add("minutes", &Oven::minutes, "until it rings");
    options.add("recipe", &Oven::recipe, "a file");
  }
};

std::string error_of(const Settings& settings) {
  return fault_in([&] { options_of<Oven>().read(settings); });
}

TEST(Options, HaveTheTypesAndDefaultsOfTheirFields) {
  const std::vector<Option>& options = options_of<Oven>().list();
  EXPECT_EQ(options[0].type, Option::Type::integer);
  EXPECT_EQ(options[0].fallback, Value(2));
  EXPECT_EQ(options[1].type, Option::Type::number);
  EXPECT_EQ(options[1].fallback, Value(180.0));
  EXPECT_EQ(options[2].type, Option::Type::boolean);
  EXPECT_EQ(options[3].type, Option::Type::text);
  EXPECT_EQ(options[3].fallback, Value("top"));
  EXPECT_EQ(options[4].type, Option::Type::integer);
  EXPECT_EQ(options[4].fallback, std::nullopt);
  EXPECT_EQ(options[5].type, Option::Type::path);
  EXPECT_EQ(options[5].fallback, std::nullopt) << "an empty path is none";
}

TEST(Options, ReadWhatIsSetAndLeaveTheRest) {
  const Oven oven =
      options_of<Oven>().read({{"heat", 200}, {"fan", true}, {"minutes", 5}, {"recipe", "cake"}});
  EXPECT_EQ(oven.plates, 2);
  EXPECT_EQ(oven.heat, 200) << "an integer serves as a number";
  EXPECT_TRUE(oven.fan);
  EXPECT_EQ(oven.mode, "top");
  EXPECT_EQ(oven.minutes, 5);
  EXPECT_EQ(oven.recipe, "cake");
}

TEST(Options, RefuseWhatTheyCannotBe) {
  EXPECT_EQ(error_of({}), "");
  EXPECT_EQ(error_of({{"plates", 5}}),
            "plates = 5: expected an integer of at least 1 and at most 4");
  EXPECT_EQ(
      error_of({{"plates", 1.5}}),
      "plates = 1.5: expected an integer of at least 1 and at most 4, without a decimal point "
      "or an exponent");
  EXPECT_EQ(error_of({{"heat", 0}}), "heat = 0: expected a number above 0");
  EXPECT_EQ(error_of({{"mode", "bottum"}}),
            "mode = \"bottum\": expected one of top, bottom; did you mean bottom?");
  EXPECT_TRUE(contains(error_of({{"haet", 9}}), "there is no option haet; "));
  EXPECT_TRUE(contains(error_of({{"haet", 9}}), "; did you mean heat?"));
}

TEST(Options, OfOneNameMustBeDescribedAlikeToBeOneKey) {
  const std::vector<Option>& ours = options_of<Oven>().list();
  std::vector<Option> theirs{ours[0]};
  const auto error = [&] {
    return fault_in([&] { check_described_alike("grill", theirs, "oven", ours); });
  };
  EXPECT_EQ(error(), "");
  theirs[0].fallback = Value(3);
  EXPECT_EQ(error(), "") << "a default may be a kind's own";
  theirs[0].at_most(8);
  EXPECT_TRUE(contains(error(), "grill: oven has an option plates too, described differently"));
}

}  // namespace
}  // namespace driftless::testing
