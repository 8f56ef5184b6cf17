#pragma once

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "driftless/base/random.hpp"
#include "driftless/problem/nn/cross_entropy.hpp"
#include "driftless/problem/nn/dense.hpp"
#include "driftless/problem/nn/fitting_data.hpp"
#include "driftless/problem/nn/model.hpp"

namespace driftless {

// Fully connected layers with max(0, ·) between them and the cross-entropy of a softmax at the end.
// The parameters are those of PyTorch's nn.Linear, layer by layer: weight[out][in], then bias[out].
template <class Real>
class Mlp : public Model<Real> {
 public:
  // Takes the numbers of features and classes from the data, which it does not keep; `hidden` has
  // the sizes of the layers between them. Throws ConfigError, which names the kind of the model,
  // where the data have no classes.
  Mlp(const Dataset& data, const std::vector<Index>& hidden, std::string_view kind = "mlp") {
    nn::expect_classes(kind, data);
    Index in = data.features;
    for (const Index out : hidden) layers_.push_back({std::exchange(in, out), out});
    layers_.push_back({in, data.classes()});
  }

  Index dim() const override {
    Index dim = 0;
    for (const nn::DenseShape& layer : layers_) dim += layer.parameters();
    return dim;
  }
  Index outputs() const override { return layers_.back().out; }

  // Weights and biases uniform within ±1/√in, as PyTorch's nn.Linear starts; number i of the draw
  // makes parameter i.
  void initialise(const Draw& draw, VectorView<Real> x) const override {
    Index i = 0;
    for (const nn::DenseShape& layer : layers_) {
      const double bound = 1 / std::sqrt(static_cast<double>(layer.in));
      for (const Index end = i + layer.parameters(); i < end; ++i) {
        const double u = uniform(draw, Purpose::initial_model, static_cast<std::uint64_t>(i));
        x[i] = static_cast<Real>(bound * (2 * u - 1));
      }
    }
  }

  void gradient(const Dataset& data, std::span<const SampleId> samples,
                const ConstVectorView<Real>& x, const Draw* /*dropout*/,
                VectorView<Real> g) const override {
    Work& work = Mlp::work();
    const double scale = 1 / static_cast<double>(samples.size());
    g.setZero();
    for_each_piece(samples, [&](std::span<const SampleId> piece) {
      Real* logits = forward(data, piece, x.data(), work);
      read_labels(data, piece, work);
      nn::cross_entropy_backward(work.labels, outputs(), scale, logits, logits);
      backward(x.data(), work, g.data());
    });
  }

  Score score(const Dataset& data, std::span<const SampleId> samples,
              const ConstVectorView<Real>& x) const override {
    Work& work = Mlp::work();
    Score total;
    for_each_piece(samples, [&](std::span<const SampleId> piece) {
      const Real* logits = forward(data, piece, x.data(), work);
      read_labels(data, piece, work);
      const Score score = nn::cross_entropy_forward(work.labels, outputs(), logits);
      total.loss += score.loss;
      total.correct += score.correct;
    });
    return total;
  }

  void predict(const Dataset& data, std::span<const SampleId> samples,
               const ConstVectorView<Real>& x, double* out) const override {
    Work& work = Mlp::work();
    for_each_piece(samples, [&](std::span<const SampleId> piece) {
      const Real* logits = forward(data, piece, x.data(), work);
      const auto batch = static_cast<Index>(piece.size());
      nn::softmax(batch, outputs(), logits, out);
      out += batch * outputs();
    });
  }

 private:
  // What a thread works in, kept between calls.
  struct Work {
    std::vector<std::int32_t> labels;
    // The input [b][in] of each layer, and last the logits. On the way back, gradients overwrite
    // what is no longer needed.
    std::vector<std::vector<Real>> values;
    std::vector<Real> gradient;
  };
  static Work& work() {
    thread_local Work work;
    return work;
  }

  // Pieces whose inputs stay in a core's second cache between the forward and the backward pass.
  template <class Body>
  void for_each_piece(std::span<const SampleId> samples, const Body& body) const {
    constexpr std::size_t cached_bytes = 256 << 10;
    const std::size_t sample_bytes = sizeof(Real) * static_cast<std::size_t>(layers_.front().in);
    const std::size_t size = std::clamp<std::size_t>(cached_bytes / sample_bytes, 8, 128);
    for (std::size_t begin = 0; begin < samples.size(); begin += size) {
      body(samples.subspan(begin, std::min(size, samples.size() - begin)));
    }
  }

  static void read_labels(const Dataset& data, std::span<const SampleId> samples, Work& work) {
    work.labels.clear();
    for (const SampleId sample : samples) {
      work.labels.push_back(data.labels[static_cast<std::size_t>(sample)]);
    }
  }

  // Returns the logits [b][classes].
  Real* forward(const Dataset& data, std::span<const SampleId> samples, const Real* x,
                Work& work) const {
    const auto batch = static_cast<Index>(samples.size());
    work.values.resize(std::max(work.values.size(), layers_.size() + 1));
    work.values[0].resize(static_cast<std::size_t>(batch * data.features));
    Real* input = work.values[0].data();
    for (const SampleId sample : samples) {
      read_sample(data, sample, input);
      input += data.features;
    }
    for (std::size_t l = 0; l < layers_.size(); ++l) {
      const nn::DenseShape& layer = layers_[l];
      std::vector<Real>& out = work.values[l + 1];
      out.resize(static_cast<std::size_t>(batch * layer.out));
      nn::dense_forward(layer, batch, work.values[l].data(), x, x + layer.weights(), out.data());
      if (l + 1 < layers_.size()) nn::relu_forward(batch * layer.out, out.data());
      x += layer.parameters();
    }
    return work.values[layers_.size()].data();
  }

  // g += the gradient of all parameters. The gradient of the logits stands in place of the logits.
  void backward(const Real* x, Work& work, Real* g) const {
    const auto batch = static_cast<Index>(work.labels.size());
    x += dim();
    g += dim();
    for (std::size_t l = layers_.size(); l-- > 0;) {
      const nn::DenseShape& layer = layers_[l];
      x -= layer.parameters();
      g -= layer.parameters();
      std::vector<Real>& input = work.values[l];
      const Real* output_gradient = work.values[l + 1].data();
      nn::dense_backward_parameters(layer, batch, input.data(), output_gradient, g,
                                    g + layer.weights());
      if (l == 0) break;
      work.gradient.resize(input.size());
      nn::dense_backward_input(layer, batch, x, output_gradient, work.gradient.data());
      nn::relu_backward(batch * layer.in, input.data(), work.gradient.data());
      std::swap(input, work.gradient);
    }
  }

  std::vector<nn::DenseShape> layers_;
};

}  // namespace driftless
