#include "driftless/problem/nn/linear.hpp"

#include <gtest/gtest.h>

#include "tests/problem/nn/slopes.hpp"
#include "tests/problem/nn/tiny_data.hpp"
#include "tests/support/data_files.hpp"

namespace driftless::testing {
namespace {

// Two features and the targets 1, 2, 3.
Dataset three_rows() {
  Dataset data;
  data.features = 2;
  data.targets = {1, 2, 3};
  data.inputs = DenseRows{.values = {1, 0, 0, 2, -1, 4}};
  return data;
}

// At w = (3, -1) and b = 0.5 the values are 3.5, -1.5 and -6.5, the errors 2.5, -3.5 and -9.5.
TEST(Linear, LosesTheSquaresOfItsErrors) {
  const Dataset data = three_rows();
  const Linear<double> model(data, true);
  ASSERT_EQ(model.dim(), 3);
  Vector<double> x(3);
  x << 3, -1, 0.5;
  const Score score = model.score(data, all_samples(data), x);
  EXPECT_EQ(score.loss, 6.25 + 12.25 + 90.25);
  EXPECT_EQ(score.correct, 0);
  const Vector<double> g = gradient_of(model, data, all_samples(data), x);
  EXPECT_NEAR(g[0], 2 * (2.5 + 9.5) / 3, 1e-14);
  EXPECT_NEAR(g[1], 2 * (-3.5 * 2 - 9.5 * 4) / 3, 1e-14);
  EXPECT_NEAR(g[2], 2 * (2.5 - 3.5 - 9.5) / 3, 1e-14);
}

TEST(Linear, SaysOneNumberOfASampleWithoutATarget) {
  const Dataset data = three_rows();
  Vector<double> x(2);
  x << 3, -1;
  const Linear<double> without(data, false);
  ASSERT_EQ(without.outputs(), 1);
  double said[2] = {};
  without.predict(unlabelled(data), std::vector<SampleId>{2, 0}, x, said);
  EXPECT_EQ(said[0], -7);
  EXPECT_EQ(said[1], 3);
}

TEST(Linear, GivesTheGradientOfItsLossOnSparseSamplesImagesAndTables) {
  for (const Dataset& labelled_data :
       {tiny_sparse(17, 9, 2), tiny_images(3, 5, 9, 2), tiny_table(7, 9, 2)}) {
    const Dataset data = with_targets(labelled_data);
    for (const bool intercept : {false, true}) {
      const Linear<double> model(data, intercept);
      ASSERT_EQ(model.dim(), data.features + (intercept ? 1 : 0));
      const Vector<double> x = random_vector<double>(3, model.dim());
      expect_gradient_of_score(model, data, all_samples(data), x);
      expect_gradient_of_score(model, data, std::vector<SampleId>{4}, x);
      expect_same_in_float(Linear<float>(data, intercept), model, data, all_samples(data), x);
    }
  }
}

TEST(Linear, ReadsTheKeptRowsOfATableWhereTheyLie) {
  const Dataset data = three_rows();
  Dataset some = data;
  some.inputs = DenseRows{.values = {-1, 4, 1, 0}, .places = {1, -1, 0}};
  const Vector<double> x = random_vector<double>(3, 3);
  const std::vector<SampleId> kept{0, 2};
  EXPECT_EQ(gradient_of(Linear<double>(some, true), some, kept, x),
            gradient_of(Linear<double>(data, true), data, kept, x));
  const Vector<float> rounded = x.cast<float>();
  EXPECT_EQ(gradient_of(Linear<float>(some, true), some, kept, rounded),
            gradient_of(Linear<float>(data, true), data, kept, rounded));
}

TEST(Linear, StartsAtZero) {
  Vector<float> x = Vector<float>::Ones(3);
  Linear<float>(three_rows(), true).initialise({.seed = 3}, x);
  EXPECT_EQ(x, Vector<float>::Zero(3));
}

TEST(Linear, RefusesDataWithClassesAndNamesTheKindsThatTakeThem) {
  const auto message = [](int classes) {
    return message_of<ConfigError>([&] { Linear<double>(tiny_table(2, 3, classes), true); });
  };
  EXPECT_EQ(message(2),
            "problem.kind = \"linear\" learns numbers, but problem.data has classes: 0, 1; "
            "choose logistic or softmax");
  EXPECT_EQ(message(3),
            "problem.kind = \"linear\" learns numbers, but problem.data has classes: 0, 1, 2; "
            "choose softmax");
}

}  // namespace
}  // namespace driftless::testing
