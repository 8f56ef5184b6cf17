#include "driftless/problem/nn/cnn.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "driftless/base/error.hpp"
#include "driftless/base/random.hpp"
#include "driftless/problem/nn/cnn_pass.hpp"
#include "driftless/problem/nn/cnn_shape.hpp"
#include "driftless/problem/nn/cross_entropy.hpp"
#include "driftless/problem/nn/fitting_data.hpp"

namespace driftless {

Cnn::Cnn(const Dataset& data) : classes_(data.classes()) {
  nn::expect_classes("cnn", data);
  const Images* images = data.images();
  if (images == nullptr || images->rows != cnn::image_side || images->columns != cnn::image_side) {
    throw ConfigError(
        "problem.kind = \"cnn\" needs images of 28 x 28, but problem.data has {}; "
        "choose softmax or mlp",
        images == nullptr ? fmt::format("{} features without an order", data.features)
                          : fmt::format("{} x {}", images->rows, images->columns));
  }
  if (data.classes() > cnn::classes) {
    throw ConfigError(
        "problem.kind = \"cnn\" tells ten classes apart, but problem.data has {}; "
        "choose softmax or mlp",
        data.classes());
  }
}

Index Cnn::dim() const { return cnn::parameters; }

void Cnn::initialise(const Draw& draw, VectorView<float> x) const {
  const auto fill = [&](int begin, int end, int inputs) {
    const double bound = 1 / std::sqrt(static_cast<double>(inputs));
    for (int j = begin; j < end; ++j) {
      const double u = uniform(draw, Purpose::initial_model, static_cast<std::uint64_t>(j));
      x[j] = static_cast<float>(bound * (2 * u - 1));
    }
  };
  fill(cnn::weights1, cnn::weights2, cnn::kernel);
  fill(cnn::weights2, cnn::weights3, cnn::channels1 * cnn::kernel);
  fill(cnn::weights3, cnn::weights4, cnn::features);
  fill(cnn::weights4, cnn::parameters, cnn::hidden);
}

void Cnn::gradient(const Dataset& data, std::span<const SampleId> samples,
                   const ConstVectorView<float>& x, const Draw* dropout,
                   VectorView<float> g) const {
  thread_local std::vector<cnn::ChannelMask> masks;
  if (dropout != nullptr) {
    masks.resize(samples.size());
    for (std::size_t i = 0; i < samples.size(); ++i) masks[i] = word(*dropout, Purpose::dropout, i);
  }
  cnn::gradient(data, samples, x.data(), dropout != nullptr ? masks.data() : nullptr, g.data());
}

Score Cnn::score(const Dataset& data, std::span<const SampleId> samples,
                 const ConstVectorView<float>& x) const {
  return cnn::score(data, samples, x.data());
}

void Cnn::predict(const Dataset& data, std::span<const SampleId> samples,
                  const ConstVectorView<float>& x, double* out) const {
  thread_local std::vector<float> logits;
  logits.resize(samples.size() * cnn::classes);
  cnn::logits(data, samples, x.data(), logits.data());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    std::array<double, cnn::classes> probabilities{};
    nn::softmax(1, cnn::classes, &logits[i * cnn::classes], probabilities.data());
    out = std::copy_n(probabilities.data(), classes_, out);
  }
}

}  // namespace driftless
