#include "driftless/problem/nn/softmax.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/problem/nn/slopes.hpp"
#include "tests/problem/nn/tiny_data.hpp"

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
}

}  // namespace
}  // namespace driftless::testing
