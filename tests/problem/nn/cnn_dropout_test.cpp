// Which channels the CNN drops: what a draw says, half of them, each its own way.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "driftless/problem/nn/cnn.hpp"
#include "driftless/problem/nn/cnn_pass.hpp"
#include "tests/problem/nn/cnn_samples.hpp"

namespace driftless::testing {
namespace {

constexpr Index bias2 = 260 + 5000;

class CnnDropout : public ::testing::Test {
 protected:
  // At these parameters every channel of the second layer has slopes, and none can be zero by
  // chance: a kept channel shows in the gradient of its bias.
  CnnDropout() {
    x_.segment(bias2, 20).setConstant(1);
    x_.segment(260, 5000) *= 0.01F;
    x_.segment(bias2 + 20, 16000) *= 0.1F;
    x_.segment(bias2 + 20 + 16000, 50).setConstant(5);
  }

  Vector<float> gradient(std::span<const SampleId> samples, const Draw& draw) const {
    Vector<float> g(21840);
    model_.gradient(data_, samples, x_, &draw, g);
    return g;
  }
  // Of a batch of one.
  cnn::ChannelMask mask(const Draw& draw) const {
    const Vector<float> g = gradient(std::vector<SampleId>{0}, draw);
    cnn::ChannelMask kept = 0;
    for (int c = 0; c < 20; ++c) kept |= static_cast<unsigned>(g[bias2 + c] != 0) << c;
    return kept;
  }

  const Dataset data_ = tiny_images(28, 28, 3, 10);
  const Cnn model_{data_};
  Vector<float> x_ = cnn_parameters(1);
};

TEST_F(CnnDropout, KeepsEachChannelHalfOfTheTime) {
  constexpr int draws = 1000;
  std::array<int, 20> kept{};
  std::set<cnn::ChannelMask> masks;
  for (int t = 0; t < draws; ++t) {
    const cnn::ChannelMask found = mask({.seed = 3, .node = 2, .round = t / 4, .step = t % 4});
    for (int c = 0; c < 20; ++c) kept[c] += static_cast<int>(found >> c & 1U);
    masks.insert(found);
  }
  for (const int count : kept) {
    EXPECT_NEAR(count, draws / 2.0, 5 * std::sqrt(draws / 4.0));  // five standard errors
  }
  EXPECT_GT(masks.size(), 990U);  // of a million, 1000 draws meet about once in two trials
}

TEST_F(CnnDropout, IsDecidedByEveryPartOfTheDraw) {
  const Draw draw{.seed = 3, .node = 2, .round = 5, .step = 1};
  EXPECT_EQ(mask(draw), mask(draw));
  for (const Draw& other : {Draw{4, 2, 5, 1}, {3, 1, 5, 1}, {3, 2, 6, 1}, {3, 2, 5, 0}}) {
    EXPECT_NE(mask(draw), mask(other));
  }
}

// A batch of one sample three times would otherwise be one mask's gradient.
TEST_F(CnnDropout, DiffersBetweenTheSamplesOfABatch) {
  const Draw draw{.seed = 3};
  const Vector<float> g = gradient(std::vector<SampleId>{0, 0, 0, 0, 0, 0, 0, 0}, draw);
  int kept = 0;
  for (int c = 0; c < 20; ++c) kept += g[bias2 + c] != 0 ? 1 : 0;
  EXPECT_GE(kept, 19);
}

// ... and kept channels count twice, so that dropout changes no mean.
TEST_F(CnnDropout, GivesTheReferencesGradientForItsMask) {
  const Draw draw{.seed = 3, .round = 7};
  const std::vector<cnn::ChannelMask> masks{mask(draw)};
  const std::vector<SampleId> sample{0};
  const auto expected = mean_gradient(x_.cast<double>(), reference_samples(data_, sample, masks));
  EXPECT_LT(relative_error(gradient(sample, draw), expected), 1e-5);
}

TEST_F(CnnDropout, IsOffWithoutADraw) {
  Vector<float> g(21840);
  model_.gradient(data_, all_samples(data_), x_, nullptr, g);
  const auto expected =
      mean_gradient(x_.cast<double>(), reference_samples(data_, all_samples(data_)));
  EXPECT_LT(relative_error(g, expected), 1e-5);
}

}  // namespace
}  // namespace driftless::testing
