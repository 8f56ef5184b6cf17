// The CNN against PyTorch: tests/golden/cnn_reference.bin, which cnn_reference.py beside it makes
// and describes.
#include <gtest/gtest.h>

#include <cstring>

#include "driftless/problem/nn/cnn.hpp"
#include "driftless/problem/nn/cnn_pass.hpp"
#include "tests/base/targets.hpp"
#include "tests/problem/nn/cnn_samples.hpp"
#include "tests/support/temporary_folder.hpp"

namespace driftless::testing {
namespace {

class CnnAgainstPyTorch : public ::testing::Test {
 protected:
  static constexpr std::size_t samples = 16;

  CnnAgainstPyTorch() {
    const std::string bytes = contents_of(DRIFTLESS_TEST_DATA "/cnn_reference.bin");
    const char* at = bytes.data();
    const auto read = [&](void* to, std::size_t size) {
      std::memcpy(to, at, size);
      at += size;
    };
    const std::size_t vector = 21840 * sizeof(float);
    std::vector<std::uint8_t> labels(samples);
    Images images{.rows = 28, .columns = 28, .mean = 0.1307, .deviation = 0.3081};
    images.pixels.resize(samples * 784);
    if (bytes.size() != 3 * vector + samples * (784 + 1 + 4) + 16) {
      throw std::runtime_error("cnn_reference.bin has not the size that it should have");
    }
    read(x.data(), vector);
    read(images.pixels.data(), images.pixels.size());
    read(labels.data(), labels.size());
    read(masks.data(), samples * sizeof(masks[0]));
    for (Case& each : cases) read(each.gradient.data(), vector);
    for (Case& each : cases) read(&each.loss, sizeof each.loss);
    data.labels.assign(labels.begin(), labels.end());
    data.inputs = std::move(images);
  }

  struct Case {
    bool dropout;
    Vector<float> gradient = Vector<float>(21840);
    double loss = 0;
  };
  Vector<float> x = Vector<float>(21840);
  Dataset data = labelled(784, 0, 10);
  std::vector<cnn::ChannelMask> masks = std::vector<cnn::ChannelMask>(samples);
  std::vector<Case> cases = {{.dropout = false}, {.dropout = true}};
};

// The engine's own roundings are about 5e-7.
TEST_F(CnnAgainstPyTorch, GivesItsGradientAndLossOnEveryTarget) {
  on_every_target([&] {
    for (const Case& expected : cases) {
      Vector<float> g(21840);
      const double loss = cnn::gradient(data, all_samples(data), x.data(),
                                        expected.dropout ? masks.data() : nullptr, g.data());
      EXPECT_LT(relative_error(g, expected.gradient.cast<double>()), 1e-5);
      EXPECT_NEAR(loss, expected.loss, 1e-6);
    }
  });
}

TEST_F(CnnAgainstPyTorch, SoDoesTheReference) {
  for (const Case& expected : cases) {
    const auto all = reference_samples(data, all_samples(data),
                                       expected.dropout ? std::span<const cnn::ChannelMask>(masks)
                                                        : std::span<const cnn::ChannelMask>());
    EXPECT_NEAR(mean_loss(x.cast<double>(), all), expected.loss, 1e-14);
    // What is left is the rounding of the stored gradient.
    EXPECT_LT(relative_error(expected.gradient, mean_gradient(x.cast<double>(), all)), 1e-7);
  }
}

}  // namespace
}  // namespace driftless::testing
