#include "driftless/problem/nn/softmax.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/problem/nn/slopes.hpp"
#include "tests/problem/nn/tiny_data.hpp"
#include "tests/support/data_files.hpp"

namespace driftless::testing {
namespace {

TEST(Softmax, IsTheMlpWithoutHiddenLayersStartedAtZero) {
  const Dataset data = tiny_images(3, 4, 6, 10);
  const Softmax<double> model(data);
  ASSERT_EQ(model.dim(), 12 * 10 + 10);
  Vector<double> x = Vector<double>::Ones(model.dim());
  model.initialise({.seed = 5}, x);
  EXPECT_EQ(x, Vector<double>::Zero(model.dim()));
  EXPECT_NEAR(model.score(data, all_samples(data), x).loss, 6 * std::log(10), 1e-13);
  x = random_vector<double>(3, model.dim());
  EXPECT_EQ(gradient_of<double>(model, data, all_samples(data), x),
            gradient_of<double>(Mlp<double>(data, {}), data, all_samples(data), x));
}

TEST(Softmax, GivesTheGradientOfItsLoss) {
  const Dataset data = tiny_images(3, 5, 7, 10);
  const Softmax<double> model(data);
  const Vector<double> x = random_vector<double>(3, model.dim());
  expect_gradient_of_score(model, data, all_samples(data), x);
  expect_same_in_float(Softmax<float>(data), model, data, all_samples(data), x);
}

// Weights 0 and biases log 1, log 2, log 5.
TEST(Softmax, SaysTheProbabilityOfEachClass) {
  const Dataset data = tiny_images(2, 2, 2, 3);
  const Softmax<double> model(data);
  Vector<double> x = Vector<double>::Zero(model.dim());
  x.tail(3) << 0, std::log(2), std::log(5);
  double said[6] = {};
  model.predict(unlabelled(data), all_samples(data), x, said);
  for (const int s : {0, 3}) {
    EXPECT_NEAR(said[s], 0.125, 1e-16);
    EXPECT_NEAR(said[s + 1], 0.25, 1e-15);
    EXPECT_NEAR(said[s + 2], 0.625, 1e-15);
  }
}

TEST(Softmax, RefusesDataWithNumbersAndNamesTheKindThatTakesThem) {
  EXPECT_EQ(
      message_of<ConfigError>([] { Softmax<double>(with_targets(tiny_table(2, 3, 2))); }),
      "problem.kind = \"softmax\" learns classes, but problem.data has numbers; choose linear");
}

TEST(Softmax, BearsLogitsOfAThousand) {
  const Dataset data = tiny_images(2, 2, 5, 3);
  const Softmax<float> model(data);
  Vector<float> x = Vector<float>::Zero(model.dim());
  x.tail(3) << 1000, -1000, 0;
  const Score score = model.score(data, all_samples(data), x);
  double expected = 0;
  for (const std::int32_t label : data.labels) expected += label == 0 ? 0 : 3000 - 1000 * label;
  EXPECT_EQ(score.loss, expected);
  EXPECT_TRUE(gradient_of<float>(model, data, all_samples(data), x).allFinite());
  double said[3] = {};
  model.predict(data, std::vector<SampleId>{0}, x, said);
  EXPECT_EQ(said[0], 1);
  EXPECT_EQ(said[1], 0);
  EXPECT_EQ(said[2], 0);
}

}  // namespace
}  // namespace driftless::testing
