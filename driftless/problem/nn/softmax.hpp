#pragma once

#include "driftless/problem/nn/mlp.hpp"

namespace driftless {

// Linear softmax regression: the network without hidden layers, so convex, and started at zero.
// The parameters are weight[class][feature], then bias[class].
template <class Real>
class Softmax final : public Mlp<Real> {
 public:
  // Takes the numbers of features and classes from the data, which it does not keep. Throws
  // ConfigError where the data have no classes.
  explicit Softmax(const Dataset& data) : Mlp<Real>(data, {}, "softmax") {}

  void initialise(const Draw& /*draw*/, VectorView<Real> x) const override { x.setZero(); }
};

}  // namespace driftless
