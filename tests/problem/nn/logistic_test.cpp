#include "driftless/problem/nn/logistic.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "driftless/base/error.hpp"
#include "tests/problem/nn/slopes.hpp"
#include "tests/problem/nn/tiny_data.hpp"

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
  const Logistic<double> model(data);
  ASSERT_EQ(model.dim(), 1);
  const Vector<double> x = Vector<double>::Constant(1, 0.7);
  const auto loss = [&](SampleId s) { return model.score(data, std::vector{s}, x).loss; };
  EXPECT_NEAR(loss(0), std::log(1 + std::exp(0.7)), 1e-15);
  EXPECT_NEAR(loss(1), std::log(1 + std::exp(-0.7)), 1e-15);
  const auto slope = [&](SampleId s) { return gradient_of(model, data, std::vector{s}, x)[0]; };
  EXPECT_NEAR(slope(0), logistic(0.7), 1e-15);
  EXPECT_NEAR(slope(1), -logistic(-0.7), 1e-15);
}

TEST(Logistic, GivesTheGradientOfItsLossOnSparseSamplesAndOnImages) {
  for (const Dataset& data : {tiny_sparse(17, 9, 2), tiny_images(3, 5, 9, 2)}) {
    const Logistic<double> model(data);
    const Vector<double> x = random_vector<double>(3, model.dim());
    expect_gradient_of_score(model, data, all_samples(data), x);
    expect_gradient_of_score(model, data, std::vector<SampleId>{4}, x);
    expect_same_in_float(Logistic<float>(data), model, data, all_samples(data), x);
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
  const Logistic<double> model(images);
  const Vector<double> x = random_vector<double>(3, model.dim());
  expect_close(gradient_of(model, images, all_samples(images), x),
               gradient_of(model, sparse, all_samples(sparse), x), 1e-14);
  EXPECT_NEAR(model.score(images, all_samples(images), x).loss,
              model.score(sparse, all_samples(sparse), x).loss, 1e-13);
}

TEST(Logistic, BearsLargeMargins) {
  const Dataset data = two_ones();
  const Logistic<double> model(data);
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
  const Logistic<double> model(data);
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
  const Logistic<float> model(two_ones());
  Vector<float> x = Vector<float>::Ones(1);
  model.initialise({.seed = 3}, x);
  EXPECT_EQ(x[0], 0);
}

TEST(Logistic, RefusesDataThatDoNotHaveTwoClasses) {
  try {
    Logistic<double> model(tiny_images(2, 2, 3, 3));
    FAIL() << "three classes were accepted";
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("problem.data has 3: 0, 1, 2"), std::string::npos)
        << error.what();
  }
  EXPECT_THROW(Logistic<double>(tiny_images(2, 2, 3, 1)), ConfigError);
}

}  // namespace
}  // namespace driftless::testing
