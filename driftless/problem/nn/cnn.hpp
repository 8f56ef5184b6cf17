#pragma once

#include "driftless/problem/nn/model.hpp"

namespace driftless {

// The convolutional network of Liu et al. (see cnn_shape.hpp), for images of 28 × 28 in at most ten
// classes. Its dropout keeps each of 20 channels with probability 1/2.
class Cnn : public Model<float> {
 public:
  // Throws ConfigError for data it cannot be trained on.
  explicit Cnn(const Dataset& data);

  Index dim() const override;
  Index outputs() const override { return classes_; }
  // PyTorch's default: weights and biases of a layer uniform within 1/√(inputs of a unit).
  void initialise(const Draw& draw, VectorView<float> x) const override;
  void gradient(const Dataset& data, std::span<const SampleId> samples,
                const ConstVectorView<float>& x, const Draw* dropout,
                VectorView<float> g) const override;
  Score score(const Dataset& data, std::span<const SampleId> samples,
              const ConstVectorView<float>& x) const override;
  // The network always tells ten classes apart, so where the data have fewer, the probabilities of
  // theirs sum to less than one.
  void predict(const Dataset& data, std::span<const SampleId> samples,
               const ConstVectorView<float>& x, double* out) const override;

 private:
  Index classes_;  // of the data
};

}  // namespace driftless
