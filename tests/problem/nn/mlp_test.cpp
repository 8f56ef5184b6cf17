#include "driftless/problem/nn/mlp.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "tests/problem/nn/slopes.hpp"
#include "tests/problem/nn/tiny_data.hpp"
#include "tests/support/data_files.hpp"

namespace driftless::testing {
namespace {

// One sample through layers of the given sizes, parameters weight[out][in], bias[out] each.
std::vector<double> logits_of(const Dataset& data, SampleId sample, const std::vector<Index>& sizes,
                              const Vector<double>& x) {
  std::vector<double> value(static_cast<std::size_t>(data.features));
  read_sample(data, sample, value.data());
  Index at = 0;
  for (std::size_t l = 0; l + 1 < sizes.size(); ++l) {
    std::vector<double> next;
    const Index bias = at + sizes[l] * sizes[l + 1];
    for (Index o = 0; o < sizes[l + 1]; ++o) {
      double sum = x[bias + o];
      for (Index k = 0; k < sizes[l]; ++k) sum += x[at++] * value[k];
      next.push_back(l + 2 < sizes.size() && sum < 0 ? 0 : sum);
    }
    at = bias + sizes[l + 1];
    value = next;
  }
  return value;
}

Score score_of(const Dataset& data, const std::vector<Index>& sizes, const Vector<double>& x) {
  Score score;
  for (SampleId s = 0; s < data.samples(); ++s) {
    const std::vector<double> logits = logits_of(data, s, sizes, x);
    double sum = 0;
    std::size_t best = 0;
    for (std::size_t c = 0; c < logits.size(); ++c) {
      sum += std::exp(logits[c]);
      if (logits[c] > logits[best]) best = c;
    }
    const auto label = static_cast<std::size_t>(data.labels[s]);
    score.loss += std::log(sum) - logits[label];
    if (best == label) ++score.correct;
  }
  return score;
}

TEST(Mlp, ScoresAsItsLayersWrittenOut) {
  const Dataset data = tiny_images(3, 5, 9, 4);
  const Mlp<double> model(data, {11, 6});
  ASSERT_EQ(model.dim(), 15 * 11 + 11 + 11 * 6 + 6 + 6 * 4 + 4);
  const Vector<double> x = random_vector<double>(3, model.dim());
  const Score found = model.score(data, all_samples(data), x);
  const Score expected = score_of(data, {15, 11, 6, 4}, x);
  EXPECT_NEAR(found.loss, expected.loss, 1e-12 * expected.loss);
  EXPECT_EQ(found.correct, expected.correct);
  EXPECT_GT(found.correct, 0);
  EXPECT_LT(found.correct, data.samples());
}

TEST(Mlp, SaysTheProbabilitiesOfItsLogitsWithoutALabel) {
  const Dataset data = tiny_images(3, 5, 200, 4);  // more than a piece of 128
  const Mlp<double> model(data, {11, 6});
  ASSERT_EQ(model.outputs(), 4);
  const Vector<double> x = random_vector<double>(3, model.dim());
  std::vector<double> said(800);
  model.predict(unlabelled(data), all_samples(data), x, said.data());
  for (const SampleId s : {0, 5, 127, 128, 199}) {
    const std::vector<double> logits = logits_of(data, s, {15, 11, 6, 4}, x);
    double sum = 0;
    for (const double logit : logits) sum += std::exp(logit);
    for (std::size_t c = 0; c < 4; ++c) {
      EXPECT_NEAR(said[4 * static_cast<std::size_t>(s) + c], std::exp(logits[c]) / sum, 1e-14);
    }
  }
}

TEST(Mlp, RefusesDataWithNumbersAndNamesTheKindThatTakesThem) {
  EXPECT_EQ(message_of<ConfigError>([] { Mlp<double>(with_targets(tiny_table(2, 3, 2)), {4}); }),
            "problem.kind = \"mlp\" learns classes, but problem.data has numbers; choose linear");
}

TEST(Mlp, GivesTheGradientOfItsLoss) {
  for (const auto& hidden : {std::vector<Index>{}, {1}, {9}, {11, 6}}) {
    for (const SampleId samples : {1, 7}) {
      const Dataset data = tiny_images(3, 5, samples, 4);
      const Mlp<double> model(data, hidden);
      const Vector<double> x = random_vector<double>(3, model.dim());
      expect_gradient_of_score(model, data, all_samples(data), x);
      expect_same_in_float(Mlp<float>(data, hidden), model, data, all_samples(data), x);
    }
  }
}

TEST(Mlp, TakesSparseSamplesToo) {
  const Dataset data = tiny_sparse(13, 8, 3);
  const Mlp<double> model(data, {5});
  expect_gradient_of_score(model, data, all_samples(data), random_vector<double>(4, model.dim()));
}

TEST(Mlp, AveragesOverAnyNumberOfSamples) {
  const Dataset data = tiny_images(4, 4, 300, 3);
  const Mlp<double> model(data, {7});
  const Vector<double> x = random_vector<double>(5, model.dim());
  Vector<double> mean = Vector<double>::Zero(model.dim());
  Score sum;
  for (const SampleId s : all_samples(data)) {
    mean += gradient_of(model, data, std::vector{s}, x) / 300;
    const Score score = model.score(data, std::vector{s}, x);
    sum.loss += score.loss;
    sum.correct += score.correct;
  }
  expect_close(gradient_of(model, data, all_samples(data), x), mean, 1e-13);
  const Score score = model.score(data, all_samples(data), x);
  EXPECT_NEAR(score.loss, sum.loss, 1e-12 * sum.loss);
  EXPECT_EQ(score.correct, sum.correct);
}

TEST(Mlp, CountsARepeatedSampleAsOftenAsItComes) {
  const Dataset data = tiny_images(2, 3, 2, 2);
  const Mlp<double> model(data, {4});
  const Vector<double> x = random_vector<double>(6, model.dim());
  const std::vector<SampleId> samples{1, 0, 1};
  const Vector<double> expected = (gradient_of(model, data, std::vector<SampleId>{0}, x) +
                                   2 * gradient_of(model, data, std::vector<SampleId>{1}, x)) /
                                  3;
  expect_close(gradient_of(model, data, samples, x), expected, 1e-14);
}

TEST(Mlp, GivesTheSameBitsOnAnyThreadAfterAnyModel) {
  const Dataset data = tiny_images(5, 5, 40, 3);
  const Mlp<float> model(data, {17});
  const Vector<float> x = random_vector<float>(7, model.dim());
  const Vector<float> here = gradient_of(model, data, all_samples(data), x);
  Vector<float> there;
  std::thread other([&] {
    const Dataset larger = tiny_images(6, 6, 50, 5);
    const Mlp<float> deeper(larger, {30, 20, 10});
    gradient_of(deeper, larger, all_samples(larger), random_vector<float>(8, deeper.dim()));
    there = gradient_of(model, data, all_samples(data), x);
  });
  other.join();
  EXPECT_EQ(here, there);
}

TEST(Mlp, DoesNotHideWhatIsNotANumber) {
  const Dataset data = tiny_images(2, 2, 3, 2);
  const Mlp<double> model(data, {3});
  Vector<double> x = random_vector<double>(9, model.dim());
  x[0] = std::nan("");
  EXPECT_TRUE(std::isnan(model.score(data, all_samples(data), x).loss));
  EXPECT_FALSE(gradient_of(model, data, all_samples(data), x).allFinite());
}

TEST(Mlp, StartsUniformWithinTheBoundsOfEachLayer) {
  const Dataset data = tiny_images(10, 10, 1, 4);
  const Mlp<double> model(data, {25});
  Vector<double> x(model.dim());
  model.initialise({.seed = 5}, x);
  // 1/√100 for the first layer with its biases, 1/√25 for the second.
  const auto first = x.head(100 * 25 + 25);
  const auto second = x.tail(25 * 4 + 4);
  EXPECT_LT(first.cwiseAbs().maxCoeff(), 0.1);
  EXPECT_GT(first.maxCoeff(), 0.099);
  EXPECT_LT(first.minCoeff(), -0.099);
  EXPECT_LT(second.cwiseAbs().maxCoeff(), 0.2);
  EXPECT_GT(second.maxCoeff(), 0.18);
  EXPECT_LT(second.minCoeff(), -0.18);
  // Five standard errors of a uniform's mean.
  EXPECT_LT(std::abs(first.mean()), 5 * 0.1 / std::sqrt(3.0 * static_cast<double>(first.size())));
}

TEST(Mlp, StartsWhereTheDrawSays) {
  const Dataset data = tiny_images(3, 3, 1, 2);
  const Mlp<double> model(data, {4});
  Vector<double> x(model.dim());
  Vector<double> again(model.dim());
  Vector<double> other(model.dim());
  model.initialise({.seed = 5}, x);
  model.initialise({.seed = 5}, again);
  model.initialise({.seed = 6}, other);
  EXPECT_EQ(x, again);
  EXPECT_EQ((x.array() == other.array()).count(), 0);
  EXPECT_DOUBLE_EQ(x[7], (2 * uniform({.seed = 5}, Purpose::initial_model, 7) - 1) / 3);
  Vector<float> in_float(model.dim());
  Mlp<float>(data, {4}).initialise({.seed = 5}, in_float);
  EXPECT_EQ(in_float, x.cast<float>());
}

}  // namespace
}  // namespace driftless::testing
