#include "driftless/base/option.hpp"

#include <gtest/gtest.h>

#include "driftless/base/error.hpp"
#include "driftless/base/types.hpp"
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
  std::vector<Index> levels = {2};
  std::vector<std::string> spices = {};
  std::vector<std::filesystem::path> pages = {};

  static void describe(OptionsOf<Oven>& options) {
    options.add("plates", &Oven::plates, "in use").at_least(1).at_most(4);
    options.add("heat", &Oven::heat, "in degrees").above(0);
    options.add("fan", &Oven::fan, "turns");
    options.add("mode", &Oven::mode, "where heat comes from").one_of({"top", "bottom"});
    options.add("minutes", &Oven::minutes, "until it rings");
    options.add("recipe", &Oven::recipe, "a file");
    options.add("levels", &Oven::levels, "where plates go").at_least(1).at_most(5).or_empty();
    options.add("spices", &Oven::spices, "to add").one_of({"salt", "pepper", "basil"});
    options.add("pages", &Oven::pages, "of the recipe");
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

using Integers = std::vector<std::int64_t>;
using Texts = std::vector<std::string>;

TEST(Options, OfSeveralValuesHaveTheTypesOfTheirFields) {
  const std::vector<Option>& options = options_of<Oven>().list();
  EXPECT_EQ(options[6].type, Option::Type::integers);
  EXPECT_EQ(options[6].fallback, Value(2)) << "a list of one is its element";
  EXPECT_EQ(options[7].type, Option::Type::texts);
  EXPECT_EQ(options[7].fallback, std::nullopt);
  EXPECT_EQ(options[8].type, Option::Type::paths);
  EXPECT_EQ(to_value(std::vector<std::filesystem::path>{"a", "b"}), Value(Texts{"a", "b"}));
}

TEST(Options, OfSeveralValuesTakeOneOrAList) {
  const auto levels = [](const Value& given) {
    return options_of<Oven>().read({{"levels", given}}).levels;
  };
  EXPECT_EQ(levels(3), std::vector<Index>{3});
  EXPECT_EQ(levels(Integers{3, 1}), (std::vector<Index>{3, 1}));
  EXPECT_EQ(levels("3 1"), (std::vector<Index>{3, 1})) << "as version 0.1 wrote it";
  EXPECT_EQ(levels("3"), std::vector<Index>{3});
  EXPECT_EQ(levels(Integers{}), std::vector<Index>{});
  EXPECT_EQ(levels(""), std::vector<Index>{});
  const Oven oven = options_of<Oven>().read({{"spices", "salt"}, {"pages", Texts{"1", "2"}}});
  EXPECT_EQ(oven.spices, Texts{"salt"});
  EXPECT_EQ(oven.pages, (std::vector<std::filesystem::path>{"1", "2"}));
}

TEST(Options, HaveOneCanonicalFormForEqualValues) {
  const std::vector<Option>& options = options_of<Oven>().list();
  for (const Value& same : {Value(3), Value("3"), Value(" 3 "), Value(Integers{3})})
    EXPECT_EQ(options[6].canonical(same), Value(3));
  for (const Value& same : {Value("3 1"), Value(Integers{3, 1})})
    EXPECT_EQ(options[6].canonical(same), Value(Integers{3, 1}));
  EXPECT_EQ(options[6].canonical(""), Value(Integers{}));
  EXPECT_EQ(options[6].canonical("3 x"), Value("3 x"));
  EXPECT_EQ(options[8].canonical(Texts{"a"}), Value("a"));
  EXPECT_EQ(options[8].canonical("3 1"), Value("3 1")) << "a path may have blanks";
  EXPECT_EQ(options[1].canonical(200), Value(200.0));
  EXPECT_EQ(options[0].canonical(2), Value(2));
}

TEST(Options, SayWhichElementOfAListIsAtFault) {
  const std::string level = "expected an integer of at least 1 and at most 5";
  const std::string several = "; several go in brackets, as [2, 1]";
  EXPECT_EQ(error_of({{"levels", Integers{1, 0}}}), "levels = [1, 0]: element 2 is 0; " + level);
  EXPECT_EQ(error_of({{"levels", "6 1"}}), "levels = \"6 1\": element 1 is 6; " + level);
  EXPECT_EQ(error_of({{"levels", 0}}), "levels = 0: " + level + several);
  EXPECT_EQ(error_of({{"levels", "top"}}), "levels = \"top\": " + level + several);
  EXPECT_EQ(error_of({{"levels", Texts{"1", "2"}}}),
            "levels = [\"1\", \"2\"]: element 1 is \"1\"; " + level);
  EXPECT_EQ(error_of({{"spices", Texts{"salt", "peper"}}}),
            "spices = [\"salt\", \"peper\"]: element 2 is \"peper\"; expected one of salt, pepper, "
            "basil; did you mean pepper?");
  EXPECT_EQ(error_of({{"pages", Texts{"1", ""}}}),
            "pages = [\"1\", \"\"]: element 2 is \"\"; expected the path of a file, in quotes");
  EXPECT_EQ(error_of({{"pages", Texts{}}}),
            "pages = []: the list is empty; expected the path of a file, in quotes; several go in "
            "brackets, as [\"a\", \"b\"]");
  EXPECT_EQ(error_of({{"plates", Integers{1}}}),
            "plates = [1]: expected an integer of at least 1 and at most 4");
}

TEST(Values, AreWrittenAsTomlAndAsPlainTexts) {
  EXPECT_EQ(toml_literal(Integers{300, 100}), "[300, 100]");
  EXPECT_EQ(plain_text(Integers{300, 100}), "300 100");
  EXPECT_EQ(toml_literal(Texts{"a", "b\"c"}), R"(["a", "b\"c"])");
  EXPECT_EQ(plain_text(Texts{"a", "b"}), "a b");
  EXPECT_EQ(toml_literal(Integers{}), "[]");
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
