// Kinds of one's own in config files. What is registered stays, so each test has a process for it.
#include <gtest/gtest.h>

#include "driftless/algorithm/d_sgd.hpp"
#include "driftless/algorithm/registry.hpp"
#include "driftless/base/error.hpp"
#include "driftless/config/key.hpp"
#include "driftless/problem/least_squares.hpp"
#include "driftless/problem/registry.hpp"
#include "tests/config/config_text.hpp"
#include "tests/support/contains.hpp"

namespace driftless {
namespace {

using testing::contains;
using namespace testing_config;

struct HillOptions {
  double height = 3.5;
  std::vector<std::filesystem::path> maps = {};
  std::vector<std::string> names = {};
  static void describe(OptionsOf<HillOptions>& options) {
    options.add("height", &HillOptions::height, "of the hill").above(0);
    options.add("maps", &HillOptions::maps, "files").or_known("atlas");
    options.add("names", &HillOptions::names, "of the hill").one_of({"ben", "cnoc", "tor"});
  }
};

struct LeapOptions {
  int leap = 4;
  static void describe(OptionsOf<LeapOptions>& options) {
    options.add("leap", &LeapOptions::leap, "rounds at a time").at_least(1);
  }
};

template <class Real>
class Leaping final : public Algorithm<Real> {
 public:
  using Own = LeapOptions;
  using Algorithm<Real>::Algorithm;
  void round(Round) override {}
};

void register_both() {
  register_problem(problem_kind<HillOptions>(
      "hill", "one hill", [](const HillOptions& options, const ProblemRequest& request) {
        return make_synthetic_least_squares<double>(
            {.nodes = request.nodes, .heterogeneity = options.height, .hosted = request.hosted});
      }));
  register_algorithm(algorithm_kind<Leaping>(
      {.name = "leaping", .summary = "leaps", .vectors_an_edge = 1, .local_steps = false}));
}

// Says on stderr what is wrong; in a process of its own.
template <class Test>
void alone(const Test& test) {
  EXPECT_EXIT(
      {
        try {
          register_both();
          test();
          std::exit(::testing::Test::HasFailure() ? 1 : 0);
        } catch (const std::exception& error) {
          std::cerr << error.what();
          std::exit(1);
        }
      },
      ::testing::ExitedWithCode(0), "");
}

const std::string text = R"(
[problem]
kind = "hill"
height = 7
[algorithm]
kind = "leaping"
local_rate = 0.1
[run]
rounds = 5
)";

TEST(RegisteredKinds, HaveTheirKeysInConfigFiles) {
  alone([] {
    const ExperimentConfig config = plan_of(text).runs().front()->config;
    EXPECT_EQ(config.problem.options.at("height"), Value(7.0));
    EXPECT_EQ(config.algorithm.options.at("leap"), Value(4)) << "the default";
    EXPECT_TRUE(contains(to_toml(config), "height = 7.0"));
    EXPECT_EQ(plan_of(to_toml(config)).runs().front()->config, config);
    EXPECT_EQ(
        plan_of(text, {"algorithm.leap=9"}).runs().front()->config.algorithm.options.at("leap"),
        Value(9));
  });
}

struct HopOptions {
  int hop = 2;
  static void describe(OptionsOf<HopOptions>& options) {
    options.add("hop", &HopOptions::hop, "rounds at a time").at_least(1);
  }
};

template <class Real>
class Hopping final : public Algorithm<Real> {
 public:
  using Own = HopOptions;
  using Algorithm<Real>::Algorithm;
  void round(Round) override {}
};

// Who works interactively writes a method again, with other options.
TEST(RegisteredKinds, MayBeReplaced) {
  alone([] {
    EXPECT_NE(find_key("algorithm.leap"), nullptr);
    const AlgorithmKind* kind = find_algorithm_kind("leaping");
    replace_algorithm(algorithm_kind<Hopping>({.name = "leaping", .summary = "hops"}));
    EXPECT_EQ(find_algorithm_kind("leaping"), kind) << "references stay good";
    EXPECT_EQ(kind->summary, "hops");
    EXPECT_EQ(find_key("algorithm.leap"), nullptr);
    EXPECT_EQ(plan_of(text).runs().front()->config.algorithm.options.at("hop"), Value(2));
    EXPECT_TRUE(contains(error_of(text, {"algorithm.leap=9"}), "unknown key algorithm.leap"));
    EXPECT_THROW(register_algorithm(algorithm_kind<Hopping>({.name = "leaping"})), ConfigError);
    EXPECT_THROW(replace_algorithm(algorithm_kind<Hopping>({.name = "k-gt"})), ConfigError);
  });
}

TEST(RegisteredKinds, MayTakeListsOfFilesAndOfTexts) {
  alone([] {
    const auto options = [](const std::string& setting) {
      const ExperimentConfig config = plan_of(text, {setting}).runs().front()->config;
      EXPECT_EQ(plan_of(to_toml(config)).runs().front()->config, config) << to_toml(config);
      return config.problem.options;
    };
    EXPECT_EQ(options("problem.maps=['a', '/b', 'atlas', '../c d']").at("maps"),
              Value(Texts{"/folder/a", "/b", "atlas", "/c d"}));
    EXPECT_EQ(options("problem.maps=['a']").at("maps"), Value("/folder/a"));
    EXPECT_EQ(options("problem.maps=a").at("maps"), Value("/folder/a"));
    EXPECT_EQ(options("problem.maps=atlas").at("maps"), Value("atlas"));
    EXPECT_EQ(options("problem.names=['tor', 'ben']").at("names"), Value(Texts{"tor", "ben"}));
    EXPECT_FALSE(options("problem.names=tor").contains("maps"));
    EXPECT_TRUE(contains(error_of(text, {"problem.maps=['a', '']"}), "element 2 is \"\""));
    const ExperimentPlan swept = plan_of(text + "[sweep]\n'problem.maps' = [['a', 'b'], 'atlas']");
    EXPECT_EQ(swept.runs().at(0)->folder, "maps=a_b");
    EXPECT_EQ(swept.runs().at(1)->folder, "maps=atlas");
    const ExperimentPlan alike = plan_of(text + "[sweep]\n'problem.maps' = [['a', 'b'], 'a b']");
    ASSERT_EQ(alike.runs().size(), 2U) << "a file \"a b\" is not the files a and b";
    EXPECT_EQ(alike.combinations.at(0).varied.at(0).second, "a b");
    EXPECT_EQ(alike.combinations.at(1).varied.at(0).second, "\"a b\"");
  });
}

TEST(RegisteredKinds, AreCheckedAsOursAre) {
  alone([] {
    EXPECT_TRUE(contains(error_of(text, {"problem.height=0"}), "expected a number above 0"));
    EXPECT_TRUE(contains(error_of(text, {"algorithm.leep=9"}), "did you mean algorithm.leap?"));
    EXPECT_TRUE(
        contains(error_of(text, {"algorithm.local_steps=2"}), "leaping takes one step a round"));
    EXPECT_TRUE(contains(error_of(text, {"algorithm.kind=gt", "algorithm.leap=2"}),
                         "not a key of algorithm.kind = \"gt\"; it belongs to leaping"));
    EXPECT_TRUE(contains(error_of(text, {"problem.dim=2"}),
                         "not a key of problem.kind = \"hill\"; it belongs to least_squares"));
  });
}

TEST(RegisteredKinds, MustHaveNamesAndOptionsOfTheirOwn) {
  alone([] {
    const auto refused = [](AlgorithmKind kind) {
      return fault_in([&] { register_algorithm(algorithm_kind<Leaping>(std::move(kind))); });
    };
    EXPECT_EQ(refused({.name = "gt", .summary = ""}), "there is an algorithm \"gt\" already");
    EXPECT_NE(refused({.name = "", .summary = ""}), "");
    EXPECT_EQ(refused({.name = "another", .summary = ""}), "")
        << "the same option, described alike";
    AlgorithmKind kind = algorithm_kind<Leaping>({.name = "third", .summary = ""});
    kind.own[0].at_most(9);
    EXPECT_TRUE(contains(fault_in([&] { register_algorithm(kind); }), "described differently"));
    kind.own[0].name = "local_rate";
    EXPECT_TRUE(contains(fault_in([&] { register_algorithm(kind); }), "all methods have"));
    const auto hill = [] { register_problem({.name = "hill", .summary = "", .open = {}}); };
    EXPECT_EQ(fault_in(hill), "there is a problem \"hill\" already");
  });
}

TEST(RegisteredKinds, LeaveKeysGoodThatWereHandedOutBefore) {
  const Key* before = find_key("algorithm.local_rate");
  alone([before] {
    EXPECT_NE(find_key("algorithm.leap"), nullptr);
    EXPECT_EQ(before->name, "algorithm.local_rate");
  });
  EXPECT_EQ(find_key("algorithm.leap"), nullptr) << "here nothing was registered";
}

}  // namespace
}  // namespace driftless
