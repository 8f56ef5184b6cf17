// Every layer of the CNN alone, forward and backward, against the plain ones of cnn_reference.hpp,
// with each instruction set of this machine.
#include "driftless/problem/nn/cnn_layers.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <memory>

#include "tests/base/targets.hpp"
#include "tests/problem/nn/cnn_samples.hpp"

namespace driftless::testing {
namespace {

using reference::Activations;
using reference::Parameters;
using reference::Values;
using reference::vector_of;

constexpr double tolerance = 1e-5;

Values as_float_has_them(Values values, double factor = 1) {
  for (double& v : values) v = static_cast<float>(factor * v);
  return values;
}

// ReLU's outputs: half of them are exactly zero.
Values random_active(std::uint64_t seed, Index size) {
  return reference::relu(as_float_has_them(random_values<double>(seed, size)));
}

Parameters zero() { return Parameters(Vector<double>::Zero(21840)); }

class CnnLayers : public ::testing::Test {
 protected:
  // What another target has left behind must not help.
  void begin() {
    work_ = std::make_unique<cnn::Workspace>();
    cnn::pack_parameters(x_.data(), *work_);
  }
  Vector<double> gradient() const {
    Vector<float> g = Vector<float>::Constant(21840, 777);
    cnn::unpack_gradient(work_->gradient, g.data());
    return g.cast<double>();
  }

  const Vector<float> x_ = cnn_parameters(3);
  const Parameters parameters_{x_.cast<double>()};
  std::unique_ptr<cnn::Workspace> work_;
};

TEST_F(CnnLayers, ImagesAreNormalisedOnEveryTarget) {
  const Dataset data = tiny_images(28, 28, 1, 10);
  const Values expected = cnn_image(data, 0);
  on_every_target([&] {
    begin();
    cnn::layers().load_image((*data.images())[0], 1 / (255 * 0.5F), -0.4F / 0.5F, *work_);
    for (int y = 0; y < 28; ++y) {
      for (int x = 0; x < 28; ++x) {
        EXPECT_NEAR(work_->image[y * cnn::image_stride + x], expected[28 * y + x], 1e-6);
      }
    }
  });
}

TEST_F(CnnLayers, TheFirstLayerGoesForwardAndBackOnEveryTarget) {
  const Values image = as_float_has_them(random_values<double>(5, 784), 2.5);
  const Values slopes = as_float_has_them(random_values<double>(6, 1440));
  Activations expected;
  forward1(parameters_, image, expected);
  Parameters g = zero();
  backward1(parameters_, image, expected, slopes, g);
  on_every_target([&] {
    begin();
    for (int k = 0; k < 28 * 28; ++k) {
      work_->image[k / 28 * cnn::image_stride + k % 28] = static_cast<float>(image[k]);
    }
    cnn::layers().layer1_forward(x_.data(), *work_);
    Vector<double> active(10 * 144);
    for (int k = 0; k < 10 * 144; ++k) {
      active[k] = work_->active1[k / 144 * cnn::plane1 + k % 144 / 12 * cnn::stride1 + k % 12];
      // Where the output is dead, its place has no say.
      const int place = work_->place1[k];
      const int in_map =
          (k / 144 * 24 + place / cnn::image_stride) * 24 + place % cnn::image_stride;
      EXPECT_EQ(in_map, expected.pooled1.places[k]) << "output " << k;
      const int by_pixel = k % 144 * 10 + k / 144;
      work_->by_pixel1[by_pixel] = static_cast<float>(active[k]);
      // The two parts of the slope are told apart by their sum alone.
      work_->slope1[0][by_pixel] = static_cast<float>(slopes[k]) - 3;
      work_->slope1[1][by_pixel] = 3;
    }
    EXPECT_LT(relative_error(active, vector_of(expected.active1)), tolerance);
    cnn::layers().layer1_backward(*work_);
    EXPECT_LT(relative_error(gradient(), g.flat()), tolerance);
  });
}

// Groups of five, and what is left over, are computed by different code.
constexpr std::array<cnn::ChannelMask, 12> masks{0,       1U << 7, 1U << 19, 0x00003,
                                                 0x80101, 0x0f000, 0x13105,  0xfc000,
                                                 0x5a5a5, 0xfffff, 0x7ffff,  0xffffffff};

TEST_F(CnnLayers, TheSecondLayerGoesForwardAndBackWithAnyChannelsKeptOnEveryTarget) {
  const Values slopes = as_float_has_them(random_values<double>(8, 320));
  for (const cnn::ChannelMask mask : masks) {
    SCOPED_TRACE(std::popcount(mask & 0xfffffU));
    Values multipliers(20);
    for (int c = 0; c < 20; ++c) multipliers[c] = (mask >> c & 1U) != 0 ? 2 : 0;
    Activations expected;
    expected.active1 = random_active(7, 1440);
    forward2(parameters_, multipliers, expected);
    Parameters g = zero();
    const Values in_slopes = backward2(parameters_, multipliers, expected, slopes, g);
    on_every_target([&] {
      begin();
      for (int k = 0; k < 10 * 144; ++k) {
        work_->active1[k / 144 * cnn::plane1 + k % 144 / 12 * cnn::stride1 + k % 12] =
            static_cast<float>(expected.active1[k]);
      }
      cnn::keep_channels(mask, 2, *work_);
      cnn::layers().layer2_forward(x_.data(), *work_);
      Vector<double> active = Vector<double>::Zero(320);
      for (int k = 0; k < work_->live_count; ++k) {
        cnn::LiveOutput& live = work_->live[k];
        active[live.feature] = live.value;
        live.slope = static_cast<float>(slopes[live.feature]) * 2;
      }
      cnn::layers().layer2_backward(*work_);
      Vector<double> found(10 * 144);
      for (int k = 0; k < 10 * 144; ++k) {
        const int by_pixel = k % 144 * 10 + k / 144;
        found[k] = work_->slope1[0][by_pixel] + work_->slope1[1][by_pixel];
      }
      if ((mask & 0xfffffU) == 0) {
        EXPECT_EQ(work_->live_count, 0);
        EXPECT_TRUE(found.isZero(0));
        EXPECT_TRUE(gradient().isZero(0));
        return;
      }
      EXPECT_LT(relative_error(active, vector_of(expected.active2)), tolerance);
      EXPECT_LT(relative_error(found, vector_of(in_slopes)), tolerance);
      EXPECT_LT(relative_error(gradient(), g.flat()), tolerance);
    });
  }
}

// One grey everywhere makes all outputs of a channel equal.
TEST_F(CnnLayers, PoolingTakesTheFirstOfEqualOnesOnEveryTarget) {
  on_every_target([&] {
    begin();
    std::ranges::fill(work_->image, 0.7F);
    cnn::layers().layer1_forward(x_.data(), *work_);
    for (int k = 0; k < 10 * 144; ++k) {
      EXPECT_EQ(work_->place1[k], k % 144 / 12 * 2 * cnn::image_stride + k % 12 * 2);
    }
    std::ranges::fill(work_->active1, 0.7F);
    cnn::keep_channels(0xfffff, 1, *work_);
    cnn::layers().layer2_forward(x_.data(), *work_);
    EXPECT_GT(work_->live_count, 0);
    for (int k = 0; k < work_->live_count; ++k) {
      const int output = work_->live[k].feature % 16;
      EXPECT_EQ(work_->live[k].place, (output / 4 * 2 * 12 + output % 4 * 2) * 10);
    }
  });
}

TEST_F(CnnLayers, TheDenseLayersGoForwardAndBackOnEveryTarget) {
  const Values logit_slopes = as_float_has_them(random_values<double>(9, 10));
  Activations expected;
  expected.active2 = random_active(10, 320);
  forward_dense(parameters_, expected);
  Parameters g = zero();
  const Values in_slopes = backward_dense(parameters_, expected, logit_slopes, g);
  on_every_target([&] {
    begin();
    work_->multiplier = 2;
    work_->live_count = 0;
    for (int k = 0; k < 320; ++k) {
      const auto value = static_cast<float>(expected.active2[k]);
      if (value > 0) {
        work_->live[work_->live_count++] = {.feature = k, .place = 0, .value = value, .slope = 777};
      }
    }
    cnn::layers().dense_forward(x_.data(), *work_);
    EXPECT_LT(
        relative_error(Eigen::Map<Vector<float>>(work_->hidden, 50), vector_of(expected.active3)),
        tolerance);
    EXPECT_LT(
        relative_error(Eigen::Map<Vector<float>>(work_->logits, 10), vector_of(expected.logits)),
        tolerance);
    for (int k = 0; k < 10; ++k) work_->logit_slopes[k] = static_cast<float>(logit_slopes[k]);
    cnn::layers().dense_backward(*work_);
    EXPECT_LT(relative_error(gradient(), g.flat()), tolerance);
    Vector<double> live_slopes(work_->live_count);
    Vector<double> expected_slopes(work_->live_count);
    for (int k = 0; k < work_->live_count; ++k) {
      live_slopes[k] = work_->live[k].slope;
      expected_slopes[k] = 2 * in_slopes[work_->live[k].feature];  // before dropout doubled it
    }
    EXPECT_LT(relative_error(live_slopes, expected_slopes), tolerance);
  });
}

TEST_F(CnnLayers, GradientsOfSamplesAddUp) {
  const Values slopes = as_float_has_them(random_values<double>(9, 10));
  const Dataset data = tiny_images(28, 28, 2, 10);
  const auto sample = [&](SampleId s) {
    const cnn::Layers layer = cnn::layers();
    layer.load_image((*data.images())[s], 0.01F, -1, *work_);
    layer.layer1_forward(x_.data(), *work_);
    layer.layer2_forward(x_.data(), *work_);
    layer.dense_forward(x_.data(), *work_);
    for (int k = 0; k < 10; ++k) work_->logit_slopes[k] = static_cast<float>(slopes[k]);
    layer.dense_backward(*work_);
    layer.layer2_backward(*work_);
    layer.layer1_backward(*work_);
  };
  on_every_target([&] {
    begin();
    cnn::keep_channels(0xfffff, 1, *work_);
    sample(0);
    const Vector<double> one = gradient();
    sample(1);
    const Vector<double> both = gradient();
    work_->gradient = {};
    sample(1);
    EXPECT_LT(relative_error(both, one + gradient()), 1e-6);
  });
}

}  // namespace
}  // namespace driftless::testing
