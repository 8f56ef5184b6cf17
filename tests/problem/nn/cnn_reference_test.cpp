// The reference that the CNN is measured with is measured itself, against finite differences.
#include "tests/problem/nn/cnn_reference.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/problem/nn/cnn_samples.hpp"
#include "tests/problem/nn/slopes.hpp"

namespace driftless::testing {
namespace {

using reference::Values;
using reference::vector_of;

Values values_of(const Vector<double>& vector) { return {vector.begin(), vector.end()}; }

// Slopes of Σ weight · out, a loss whose slopes at the outputs are the weights.
Vector<double> weighted_slopes(const std::function<Values(const Values&)>& layer,
                               const Values& weights, const Values& in) {
  return slopes(
      [&](const Vector<double>& x) {
        const Values out = layer(values_of(x));
        return std::inner_product(out.begin(), out.end(), weights.begin(), 0.0);
      },
      vector_of(in));
}

TEST(CnnReference, ConvolutionGoesBackAsItsSlopesSay) {
  constexpr reference::Convolution shape{.in_channels = 2, .out_channels = 3, .side = 6, .taps = 3};
  const Values in = random_values<double>(1, 72);
  const Values weights = random_values<double>(2, 54);
  const Values bias = random_values<double>(3, 3);
  const Values out_slopes = random_values<double>(4, 48);
  ASSERT_EQ(convolve(shape, in, weights, bias).size(), out_slopes.size());
  const auto back = convolve_back(shape, in, weights, out_slopes);
  const auto by_in = [&](const Values& v) { return convolve(shape, v, weights, bias); };
  const auto by_weights = [&](const Values& v) { return convolve(shape, in, v, bias); };
  const auto by_bias = [&](const Values& v) { return convolve(shape, in, weights, v); };
  expect_close(vector_of(back.in), weighted_slopes(by_in, out_slopes, in), 1e-9);
  expect_close(vector_of(back.weights), weighted_slopes(by_weights, out_slopes, weights), 1e-9);
  expect_close(vector_of(back.bias), weighted_slopes(by_bias, out_slopes, bias), 1e-9);
}

TEST(CnnReference, ConvolutionIsTheSumOverItsWindow) {
  constexpr reference::Convolution shape{.in_channels = 1, .out_channels = 1, .side = 3, .taps = 2};
  EXPECT_EQ(convolve(shape, {1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 10, 100, 1000}, {0.5}),
            (Values{5421.5, 6532.5, 8754.5, 9865.5}));
}

TEST(CnnReference, PoolingGoesBackAsItsSlopesSay) {
  const Values in = random_values<double>(1, 32);
  const Values out_slopes = random_values<double>(2, 8);
  const auto layer = [](const Values& v) { return reference::pool(4, v).values; };
  expect_close(
      vector_of(reference::pool_back(in.size(), reference::pool(4, in).places, out_slopes)),
      weighted_slopes(layer, out_slopes, in), 1e-9);
}

TEST(CnnReference, PoolingTakesTheFirstOfEqualOnes) {
  const auto pooled = reference::pool(4, {1, 1, 0, 2,  //
                                          1, 1, 2, 2});
  EXPECT_EQ(pooled.values, (Values{1, 2}));
  EXPECT_EQ(pooled.places, (std::vector<int>{0, 3}));
}

TEST(CnnReference, ReluGoesBackAsItsSlopesSay) {
  const Values in = random_values<double>(1, 20);
  const Values out_slopes = random_values<double>(2, 20);
  expect_close(vector_of(reference::relu_back(in, out_slopes)),
               weighted_slopes(reference::relu, out_slopes, in), 1e-9);
}

TEST(CnnReference, DenseGoesBackAsItsSlopesSay) {
  const Values in = random_values<double>(1, 7);
  const Values weights = random_values<double>(2, 28);
  const Values bias = random_values<double>(3, 4);
  const Values out_slopes = random_values<double>(4, 4);
  const auto back = reference::dense_back(in, weights, out_slopes);
  const auto by_in = [&](const Values& v) { return reference::dense(v, weights, bias); };
  const auto by_weights = [&](const Values& v) { return reference::dense(in, v, bias); };
  const auto by_bias = [&](const Values& v) { return reference::dense(in, weights, v); };
  expect_close(vector_of(back.in), weighted_slopes(by_in, out_slopes, in), 1e-9);
  expect_close(vector_of(back.weights), weighted_slopes(by_weights, out_slopes, weights), 1e-9);
  expect_close(vector_of(back.bias), weighted_slopes(by_bias, out_slopes, bias), 1e-9);
}

TEST(CnnReference, CrossEntropyGoesBackAsItsSlopesSay) {
  const Values logits = random_values<double>(1, 10);
  for (const int label : {0, 3, 9}) {
    const auto loss = [&](const Vector<double>& x) {
      return reference::cross_entropy(values_of(x), label);
    };
    expect_close(vector_of(reference::cross_entropy_back(logits, label)),
                 slopes(loss, vector_of(logits)), 1e-9);
  }
  EXPECT_NEAR(reference::cross_entropy(Values(10, 5.0), 2), std::log(10), 1e-15);
}

TEST(CnnReference, TheWholeGradientIsThatOfTheLoss) {
  const Dataset data = tiny_images(28, 28, 2, 10);
  const Vector<double> x = cnn_parameters(1).cast<double>();
  for (const std::vector<cnn::ChannelMask>& masks :
       {std::vector<cnn::ChannelMask>{}, {0x5a5a5, 0x0ff33}}) {
    const auto samples = reference_samples(data, all_samples(data), masks);
    const Vector<double> g = mean_gradient(x, samples);
    ASSERT_EQ(g.size(), 21840);
    const Vector<double> some = g(some_coordinates());
    EXPECT_LT(relative_error(some, reference_slopes(x, samples)), 1e-7);
  }
}

}  // namespace
}  // namespace driftless::testing
