#pragma once

#include <vector>

#include "driftless/problem/nn/dense.hpp"
#include "driftless/problem/nn/model.hpp"

namespace driftless {

// Fully connected layers with max(0, ·) between them and the cross-entropy of a softmax at the end.
// The parameters are those of PyTorch's nn.Linear, layer by layer: weight[out][in], then bias[out].
template <class Real>
class Mlp : public Model<Real> {
 public:
  // Takes the numbers of features and classes from the data, which it does not keep; `hidden` has
  // the sizes of the layers between them.
  Mlp(const Dataset& data, const std::vector<Index>& hidden);

  Index dim() const override;

  // Weights and biases uniform within ±1/√in, as PyTorch's nn.Linear starts; number i of the draw
  // makes parameter i.
  void initialise(const Draw& draw, VectorView<Real> x) const override;

  void gradient(const Dataset& data, std::span<const SampleId> samples,
                const ConstVectorView<Real>& x, const Draw* dropout,
                VectorView<Real> g) const override;
  Score score(const Dataset& data, std::span<const SampleId> samples,
              const ConstVectorView<Real>& x) const override;

 private:
  struct Work;
  static Work& work();

  template <class Body>
  void for_each_piece(std::span<const SampleId> samples, const Body& body) const;
  void forward(const Dataset& data, std::span<const SampleId> samples, const Real* x,
               Work& work) const;
  void backward(const Real* x, Work& work, Real* g) const;

  std::vector<nn::DenseShape> layers_;
};

}  // namespace driftless
