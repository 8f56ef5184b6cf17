#pragma once

#include "driftless/problem/nn/cnn_pass.hpp"
#include "tests/problem/nn/cnn_reference.hpp"
#include "tests/problem/nn/tiny_data.hpp"

namespace driftless::testing {

// Parameters of the sizes that networks have: uniform within 1/√(inputs of a unit).
inline Vector<float> cnn_parameters(std::uint64_t seed) {
  Vector<float> x(21840);
  Index at = 0;
  const auto fill = [&](Index count, double bound) {
    for (const Index end = at + count; at < end; ++at) {
      x[at] = static_cast<float>(random_within(bound, seed, static_cast<std::uint64_t>(at)));
    }
  };
  fill(10 * 25 + 10, 1 / 5.0);
  fill(20 * 250 + 20, 1 / std::sqrt(250.0));
  fill(50 * 320 + 50, 1 / std::sqrt(320.0));
  fill(10 * 50 + 10, 1 / std::sqrt(50.0));
  return x;
}

inline reference::Values cnn_image(const Dataset& data, SampleId sample) {
  reference::Values image(static_cast<std::size_t>(data.features));
  read_sample(data, sample, image.data());
  return image;
}

// As the reference wants them: with masks what is kept counts twice, without them all counts once.
inline std::vector<reference::Sample> reference_samples(
    const Dataset& data, std::span<const SampleId> samples,
    std::span<const cnn::ChannelMask> masks = {}) {
  std::vector<reference::Sample> all;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    auto& sample = all.emplace_back();
    sample.image = cnn_image(data, samples[i]);
    sample.label = data.labels[samples[i]];
    for (std::size_t c = 0; c < 20 && !masks.empty(); ++c) {
      sample.multipliers[c] = (masks[i] >> c & 1U) != 0 ? 2 : 0;
    }
  }
  return all;
}

// ‖found − expected‖ / ‖expected‖
template <class Found>
double relative_error(const Found& found, const Vector<double>& expected) {
  return (found.template cast<double>() - expected).norm() / expected.norm();
}

// Some coordinates of every tensor, all of them within reach of finite differences.
inline std::vector<Index> some_coordinates() {
  std::vector<Index> some;
  Index begin = 0;
  for (const Index size : {250, 10, 5000, 20, 16000, 50, 500, 10}) {
    for (Index k = 0; k < 10; ++k) some.push_back(begin + k * 7919 % size);
    begin += size;
  }
  return some;
}

// The slopes of the reference's loss there, by central differences. The step is small so that it
// crosses no kink of pooling or ReLU.
inline Vector<double> reference_slopes(const Vector<double>& x,
                                       const std::vector<reference::Sample>& samples) {
  constexpr double step = 1e-6;
  const std::vector<Index> coordinates = some_coordinates();
  Vector<double> slopes(std::ssize(coordinates));
  Vector<double> moved = x;
  for (Index k = 0; k < slopes.size(); ++k) {
    const Index j = coordinates[k];
    moved[j] = x[j] + step;
    const double ahead = mean_loss(moved, samples);
    moved[j] = x[j] - step;
    slopes[k] = (ahead - mean_loss(moved, samples)) / (2 * step);
    moved[j] = x[j];
  }
  return slopes;
}

}  // namespace driftless::testing
