// Trajectories under network events, of an independent implementation (tests/golden/network.json).
#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/json_matrix.hpp"
#include "tests/support/trial.hpp"

namespace driftless::testing {
namespace {

struct WeatherCase {
  std::string name, algorithm;
  Conditions conditions;
  AlgorithmOptions options;
  Round rounds = 0;
  std::vector<Eigen::MatrixXd> X;  // after t rounds, nodes × d
};

struct GoldenWeather {
  std::unique_ptr<Problem<double>> problem;
  std::vector<WeatherCase> cases;
};

Trace to_trace(const nlohmann::json& events) {
  Trace trace;
  for (const auto& event : events) {
    trace.push_back({.round = event[0],
                     .event = find_or_null(values_of<Event>, event[1].get<std::string>())->value,
                     .node = event[2],
                     .peer = std::max(event[3].get<NodeId>(), 0),  // −1 where an event has none
                     .value = event[4]});
  }
  return trace;
}

WeatherCase to_weather_case(const nlohmann::json& source, Index dim) {
  WeatherCase c{
      .name = source["case"],
      .algorithm = source["algorithm"],
      .conditions = {.links = make_fixed(MixingMatrix::from_dense(to_matrix(source["W"]))),
                     .trace = to_trace(source["events"]),
                     .codec_rate = source["rate"]},
      .options = {.local_steps = source["local_steps"],
                  .local_rate = source["eta_c"],
                  .communication_rate = source["eta_s"]},
      .rounds = source["rounds"],
      .X = {}};
  if (const auto& keep = source["keep"]; !keep.is_null()) {
    const CompressionOptions options{.codec = "top_k",
                                     .keep = keep.get<double>() / static_cast<double>(dim)};
    std::get<1>(c.conditions.codecs) = make_codec<double>(options);
  }
  for (const auto& x : source["X"]) c.X.push_back(to_matrix(x));
  return c;
}

const GoldenWeather& golden_weather() {
  static const GoldenWeather loaded = [] {
    std::ifstream stream(DRIFTLESS_TEST_DATA "/network.json");
    const auto root = nlohmann::json::parse(stream);
    LeastSquaresData data;
    for (std::size_t i = 0; i < root["A"].size(); ++i) {
      data.A.emplace_back(to_matrix(root["A"][i]));
      data.b.push_back(to_vector(root["b"][i]));
    }
    data.x0.push_back(to_vector(root["x0"]));
    GoldenWeather golden{.problem = make_least_squares<double>(data, 0), .cases = {}};
    for (const auto& source : root["cases"]) {
      golden.cases.push_back(to_weather_case(source, golden.problem->dim()));
    }
    return golden;
  }();
  return loaded;
}

class GoldenWeatherTrajectory : public ::testing::TestWithParam<std::size_t> {};

TEST_P(GoldenWeatherTrajectory, IsFollowed) {
  const WeatherCase& c = golden_weather().cases[GetParam()];
  Trial trial(c.algorithm, *golden_weather().problem, c.conditions, c.options);
  EXPECT_LT(difference(c.X[0], trial.models()), 1e-15);
  for (Round t = 0; t < c.rounds; ++t) {
    trial.round(t);
    ASSERT_LT(difference(c.X[static_cast<std::size_t>(t + 1)], trial.models()), 1e-10)
        << c.name << " leaves the golden path in round " << t;
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, GoldenWeatherTrajectory,
                         ::testing::Range<std::size_t>(0, golden_weather().cases.size()),
                         [](const auto& tested) {
                           std::string name = golden_weather().cases[tested.param].name;
                           for (char& letter : name) {
                             if (std::isalnum(static_cast<unsigned char>(letter)) == 0)
                               letter = '_';
                           }
                           return name;
                         });

TEST(GoldenWeatherFile, HasSeventySixCases) { EXPECT_EQ(golden_weather().cases.size(), 76U); }

}  // namespace
}  // namespace driftless::testing
