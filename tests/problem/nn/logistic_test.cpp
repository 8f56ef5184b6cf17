#include "driftless/problem/nn/logistic.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "driftless/base/error.hpp"
#include "tests/problem/nn/slopes.hpp"
#include "tests/problem/nn/tiny_data.hpp"
#include "tests/support/data_files.hpp"

namespace driftless::testing {
namespace {

// One feature of value 1, and a sample of each class.
Dataset two_ones() {
  Dataset data = labelled(1, 2, 2);
  data.labels = {0, 1};
  data.inputs = SparseRows{{0, 1, 2}, {0, 0}, {1, 1}};
  return data;
}

double logistic(double t) { return 1 / (1 + std::exp(-t)); }

TEST(Logistic, MeansMinusOneByTheFirstClass) {
  const Dataset data = two_ones();
  const Logistic<double> model(data, false);
  ASSERT_EQ(model.dim(), 1);
  const Vector<double> x = Vector<double>::Constant(1, 0.7);
  const auto loss = [&](SampleId s) { return model.score(data, std::vector{s}, x).loss; };
  EXPECT_NEAR(loss(0), std::log(1 + std::exp(0.7)), 1e-15);
  EXPECT_NEAR(loss(1), std::log(1 + std::exp(-0.7)), 1e-15);
  const auto slope = [&](SampleId s) { return gradient_of(model, data, std::vector{s}, x)[0]; };
  EXPECT_NEAR(slope(0), logistic(0.7), 1e-15);
  EXPECT_NEAR(slope(1), -logistic(-0.7), 1e-15);
}

TEST(Logistic, GivesTheGradientOfItsLossOnSparseSamplesImagesAndTables) {
  for (const Dataset& data :
       {tiny_sparse(17, 9, 2), tiny_images(3, 5, 9, 2), tiny_table(7, 9, 2)}) {
    for (const bool intercept : {false, true}) {
      const Logistic<double> model(data, intercept);
      ASSERT_EQ(model.dim(), data.features + (intercept ? 1 : 0));
      const Vector<double> x = random_vector<double>(3, model.dim());
      expect_gradient_of_score(model, data, all_samples(data), x);
      expect_gradient_of_score(model, data, std::vector<SampleId>{4}, x);
      expect_same_in_float(Logistic<float>(data, intercept), model, data, all_samples(data), x);
    }
  }
}

// Three samples in the classes 0, 1, 1, w = 2 and b = -1: a·w + b is -1, 0 and 3.
TEST(Logistic, AddsTheInterceptToTheProduct) {
  Dataset data = labelled(1, 3, 2);
  data.labels = {0, 1, 1};
  data.inputs = DenseRows{.values = {0, 0.5, 2}};
  const Logistic<double> model(data, true);
  Vector<double> x(2);
  x << 2, -1;
  const Score score = model.score(data, all_samples(data), x);
  EXPECT_NEAR(score.loss, std::log(1 + std::exp(-1.0)) + std::log(2) + std::log(1 + std::exp(-3.0)),
              1e-15);
  EXPECT_EQ(score.correct, 2);
  // The slopes by a·w + b are the probabilities of the second class less what is true.
  const double slopes[3] = {logistic(-1), -0.5, -logistic(-3)};
  const Vector<double> g = gradient_of(model, data, all_samples(data), x);
  EXPECT_NEAR(g[0], (0.5 * slopes[1] + 2 * slopes[2]) / 3, 1e-16);
  EXPECT_NEAR(g[1], (slopes[0] + slopes[1] + slopes[2]) / 3, 1e-16);
}

TEST(Logistic, WithAnInterceptIsTheModelWithAFeatureThatIsAlwaysOne) {
  const Dataset data = tiny_table(4, 9, 2);
  Dataset wider = data;
  wider.features = 5;
  DenseRows rows;
  for (const SampleId s : all_samples(data)) {
    Vector<double> features(5);
    read_sample(data, s, features.data());
    features[4] = 1;
    rows.values.insert(rows.values.end(), features.begin(), features.end());
  }
  wider.inputs = rows;
  const Vector<double> x = random_vector<double>(3, 5);
  expect_close(gradient_of(Logistic<double>(data, true), data, all_samples(data), x),
               gradient_of(Logistic<double>(wider, false), wider, all_samples(data), x), 1e-14);
}

TEST(Logistic, SaysTheProbabilitiesOfBothClassesOfSamplesWithoutALabel) {
  const Dataset data = two_ones();
  const Logistic<double> model(data, false);
  ASSERT_EQ(model.outputs(), 2);
  double said[4] = {};
  const Vector<double> x = Vector<double>::Constant(1, 50);
  model.predict(unlabelled(data), std::vector<SampleId>{1, 0}, x, said);
  for (const double* of_sample : {said, said + 2}) {
    EXPECT_NEAR(of_sample[0] / std::exp(-50.0), 1, 1e-15);
    EXPECT_EQ(of_sample[1], 1);
  }
}

TEST(Logistic, IsTheSameForSparseSamplesAndForImages) {
  const Dataset images = tiny_images(2, 3, 5, 2);
  Dataset sparse = images;
  SparseRows rows;
  for (const SampleId s : all_samples(images)) {
    Vector<double> features(images.features);
    read_sample(images, s, features.data());
    for (Index j = 0; j < images.features; ++j) {
      rows.features.push_back(static_cast<std::int32_t>(j));
      rows.values.push_back(features[j]);
    }
    rows.starts.push_back(std::ssize(rows.values));
  }
  sparse.inputs = rows;
  const Logistic<double> model(images, false);
  const Vector<double> x = random_vector<double>(3, model.dim());
  expect_close(gradient_of(model, images, all_samples(images), x),
               gradient_of(model, sparse, all_samples(sparse), x), 1e-14);
  EXPECT_NEAR(model.score(images, all_samples(images), x).loss,
              model.score(sparse, all_samples(sparse), x).loss, 1e-13);
}

TEST(Logistic, BearsLargeMargins) {
  const Dataset data = two_ones();
  const Logistic<double> model(data, false);
  for (const double margin : {1e3, 1e300}) {
    const Vector<double> x = Vector<double>::Constant(1, margin);
    EXPECT_EQ(model.score(data, std::vector<SampleId>{0}, x).loss, margin);
    EXPECT_EQ(model.score(data, std::vector<SampleId>{1}, x).loss, 0);
    EXPECT_EQ(gradient_of(model, data, std::vector<SampleId>{0}, x)[0], 1);
    EXPECT_EQ(gradient_of(model, data, std::vector<SampleId>{1}, x)[0], 0);
  }
}

TEST(Logistic, CountsASampleOnTheBorderAsOfTheFirstClass) {
  const Dataset data = two_ones();
  const Logistic<double> model(data, false);
  const auto correct = [&](SampleId s, double x) {
    return model.score(data, std::vector{s}, Vector<double>(Vector<double>::Constant(1, x)))
        .correct;
  };
  EXPECT_EQ(correct(0, 0), 1);
  EXPECT_EQ(correct(1, 0), 0);
  EXPECT_EQ(correct(0, 2), 0);
  EXPECT_EQ(correct(1, 2), 1);
  EXPECT_EQ(correct(0, -2), 1);
  EXPECT_EQ(correct(1, -2), 0);
}

TEST(Logistic, StartsAtZero) {
  const Logistic<float> model(two_ones(), false);
  Vector<float> x = Vector<float>::Ones(1);
  model.initialise({.seed = 3}, x);
  EXPECT_EQ(x[0], 0);
}

TEST(Logistic, RefusesDataThatDoNotHaveTwoClasses) {
  try {
    Logistic<double> model(tiny_images(2, 2, 3, 3), false);
    FAIL() << "three classes were accepted";
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("problem.data has 3: 0, 1, 2"), std::string::npos)
        << error.what();
  }
  EXPECT_THROW(Logistic<double>(tiny_images(2, 2, 3, 1), false), ConfigError);
}

TEST(Logistic, RefusesDataWithNumbersAndNamesTheKindThatTakesThem) {
  EXPECT_EQ(
      message_of<ConfigError>([] { Logistic<double>(with_targets(tiny_table(2, 3, 2)), false); }),
      "problem.kind = \"logistic\" learns classes, but problem.data has numbers; choose linear");
}

}  // namespace
}  // namespace driftless::testing
