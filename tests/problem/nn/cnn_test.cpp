#include "driftless/problem/nn/cnn.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <thread>

#include "driftless/base/error.hpp"
#include "driftless/problem/nn/cnn_pass.hpp"
#include "tests/base/targets.hpp"
#include "tests/problem/nn/cnn_samples.hpp"
#include "tests/problem/nn/slopes.hpp"
#include "tests/support/data_files.hpp"

namespace driftless::testing {
namespace {

using Masks = std::vector<cnn::ChannelMask>;

Vector<float> pass_gradient(const Dataset& data, const Vector<float>& x, const Masks& masks) {
  // A gradient is set, not added: what was there must not show.
  Vector<float> g = Vector<float>::Constant(21840, 777);
  cnn::gradient(data, all_samples(data), x.data(), masks.empty() ? nullptr : masks.data(),
                g.data());
  return g;
}

TEST(Cnn, GivesTheGradientOfTheReferenceOnEveryTarget) {
  const Vector<float> x = cnn_parameters(1);
  const Masks all_masks{0x5a5a5, 0, 0xfffff};
  for (const SampleId samples : {1, 3}) {
    const Dataset data = tiny_images(28, 28, samples, 10);
    for (const Masks& masks : {Masks{}, Masks(all_masks.begin(), all_masks.begin() + samples)}) {
      const auto expected =
          mean_gradient(x.cast<double>(), reference_samples(data, all_samples(data), masks));
      on_every_target(
          [&] { EXPECT_LT(relative_error(pass_gradient(data, x, masks), expected), 1e-5); });
    }
  }
}

TEST(Cnn, GivesTheSlopesOfTheReferencesLoss) {
  const Vector<float> x = cnn_parameters(2);
  const Dataset data = tiny_images(28, 28, 2, 10);
  for (const Masks& masks : {Masks{}, Masks{0x0ff33, 0xa0a0f}}) {
    const auto samples = reference_samples(data, all_samples(data), masks);
    const Vector<float> some = pass_gradient(data, x, masks)(some_coordinates());
    EXPECT_LT(relative_error(some, reference_slopes(x.cast<double>(), samples)), 1e-5);
  }
}

TEST(Cnn, ScoresAsTheReferenceOnEveryTarget) {
  const Vector<float> x = cnn_parameters(3);
  const Dataset data = tiny_images(28, 28, 40, 10);
  const reference::Parameters parameters(x.cast<double>());
  Score expected;
  for (const reference::Sample& sample : reference_samples(data, all_samples(data))) {
    const reference::Values logits = forward(parameters, sample).logits;
    expected.loss += reference::cross_entropy(logits, sample.label);
    if (std::ranges::max_element(logits) - logits.begin() == sample.label) ++expected.correct;
  }
  ASSERT_GT(expected.correct, 0);
  on_every_target([&] {
    const Score found = Cnn(data).score(data, all_samples(data), x);
    EXPECT_NEAR(found.loss, expected.loss, 1e-6 * expected.loss);
    EXPECT_EQ(found.correct, expected.correct);
  });
}

TEST(Cnn, SaysTheProbabilitiesOfTheReferenceWithoutALabel) {
  const Vector<float> x = cnn_parameters(3);
  for (const int classes : {10, 3}) {
    const Dataset data = tiny_images(28, 28, 5, classes);
    const Cnn model(data);
    ASSERT_EQ(model.outputs(), classes);
    std::vector<double> said(static_cast<std::size_t>(5 * classes));
    model.predict(unlabelled(data), all_samples(data), x, said.data());
    const double* next = said.data();
    for (const reference::Sample& sample : reference_samples(data, all_samples(data))) {
      const reference::Values logits =
          forward(reference::Parameters(x.cast<double>()), sample).logits;
      double sum = 0;
      for (const double logit : logits) sum += std::exp(logit);
      for (std::size_t c = 0; c < static_cast<std::size_t>(classes); ++c) {
        EXPECT_NEAR(*next++, std::exp(logits[c]) / sum, 1e-6);
      }
    }
  }
}

TEST(Cnn, TellsItsMeanLossWithTheGradient) {
  const Vector<float> x = cnn_parameters(3);
  const Dataset data = tiny_images(28, 28, 3, 10);
  const Masks masks{0x12345, 0xfffff, 0x00001};
  const auto samples = reference_samples(data, all_samples(data), masks);
  Vector<float> g(21840);
  const double loss = cnn::gradient(data, all_samples(data), x.data(), masks.data(), g.data());
  EXPECT_NEAR(loss, mean_loss(x.cast<double>(), samples), 1e-6);
}

TEST(Cnn, CountsARepeatedSampleAsOftenAsItComes) {
  const Dataset data = tiny_images(28, 28, 2, 10);
  const Cnn model(data);
  const Vector<float> x = cnn_parameters(4);
  const Vector<float> zero = gradient_of<float>(model, data, std::vector<SampleId>{0}, x);
  const Vector<float> one = gradient_of<float>(model, data, std::vector<SampleId>{1}, x);
  const Vector<double> expected = (zero + 2 * one).cast<double>() / 3;
  const Vector<float> found = gradient_of<float>(model, data, std::vector<SampleId>{1, 0, 1}, x);
  EXPECT_LT(relative_error(found, expected), 1e-6);
}

TEST(Cnn, BearsLogitsOfAThousand) {
  const Dataset data = tiny_images(28, 28, 5, 10);
  const Cnn model(data);
  Vector<float> x = Vector<float>::Zero(model.dim());
  x[model.dim() - 10] = 1000;
  const double expected = 1000.0 * static_cast<double>(5 - std::ranges::count(data.labels, 0));
  EXPECT_EQ(model.score(data, all_samples(data), x).loss, expected);
  EXPECT_TRUE(gradient_of<float>(model, data, all_samples(data), x).allFinite());
}

TEST(Cnn, GivesTheSameBitsOnAnyThreadAfterAnyMasks) {
  const Dataset data = tiny_images(28, 28, 6, 10);
  const Vector<float> x = cnn_parameters(6);
  const Masks masks{0x5a5a5, 0, 0xfffff, 1, 0x0000f, 0xf8000};
  const Vector<float> here = pass_gradient(data, x, masks);
  Vector<float> there;
  std::thread other([&] {
    pass_gradient(data, cnn_parameters(7), {});
    pass_gradient(data, x, Masks(6));
    there = pass_gradient(data, x, masks);
  });
  other.join();
  EXPECT_EQ(here, there);
}

TEST(Cnn, StartsUniformWithinTheBoundsOfEachLayer) {
  const Cnn model(tiny_images(28, 28, 1, 10));
  ASSERT_EQ(model.dim(), 21840);
  Vector<float> x(model.dim());
  model.initialise({.seed = 5}, x);
  Index begin = 0;
  for (const auto& [size, inputs] : {std::pair{260, 25}, {5020, 250}, {16050, 320}, {510, 50}}) {
    const Vector<double> layer = x.segment(begin, size).cast<double>();
    const double bound = 1 / std::sqrt(inputs);
    const double within = 20.0 / size;  // P(none is so near to the bound) = e^-10
    EXPECT_LE(layer.cwiseAbs().maxCoeff(), bound);
    EXPECT_GT(layer.maxCoeff(), bound * (1 - within));
    EXPECT_LT(layer.minCoeff(), -bound * (1 - within));
    // Five standard errors of a uniform's mean and of the mean of its squares.
    EXPECT_LT(std::abs(layer.mean()), 5 * bound / std::sqrt(3.0 * size));
    EXPECT_NEAR(layer.squaredNorm() / size, bound * bound / 3,
                5 * bound * bound * std::sqrt(4 / 45.0 / size));
    begin += size;
  }
  EXPECT_EQ(begin, model.dim());
}

TEST(Cnn, StartsWhereTheDrawSays) {
  const Cnn model(tiny_images(28, 28, 1, 10));
  Vector<float> x(model.dim());
  Vector<float> again(model.dim());
  Vector<float> other(model.dim());
  model.initialise({.seed = 5}, x);
  model.initialise({.seed = 5}, again);
  model.initialise({.seed = 6}, other);
  EXPECT_EQ(x, again);
  EXPECT_LT((x.array() == other.array()).count(), 5);  // floats near zero may meet
}

TEST(Cnn, RefusesDataThatItCannotRead) {
  const auto error = [](const Dataset& data) {
    return message_of<ConfigError>([&] { const Cnn model(data); });
  };
  for (const auto& [data, found] : {std::pair{tiny_images(28, 27, 2, 10), "28 x 27"},
                                    {tiny_images(32, 32, 2, 10), "32 x 32"},
                                    {tiny_sparse(784, 2, 10), "784 features"},
                                    {tiny_images(28, 28, 2, 11), "11"},
                                    {with_targets(tiny_images(28, 28, 2, 2)), "choose linear"}}) {
    const std::string message = error(data);
    for (const char* part : {"problem.kind", "cnn", "problem.data", found}) {
      EXPECT_NE(message.find(part), std::string::npos) << part << " is not in: " << message;
    }
  }
  EXPECT_EQ(error(tiny_images(28, 28, 2, 3)), "") << "fewer classes are no harm";
}

}  // namespace
}  // namespace driftless::testing
