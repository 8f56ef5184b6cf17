#pragma once

#include "driftless/problem/nn/model.hpp"

namespace driftless {

// Binary logistic regression: the loss of a sample a of class y is log(1 + exp(−y a·x)), where the
// first class of the data means y = −1 and the second y = +1. There is one parameter a feature and
// no bias; data that need one carry a feature that is always 1. Training starts at zero. Sparse
// samples are never made dense.
template <class Real>
class Logistic final : public Model<Real> {
 public:
  // Takes the number of features from the data, which it does not keep. Throws ConfigError unless
  // there are two classes.
  explicit Logistic(const Dataset& data);

  Index dim() const override { return features_; }
  void initialise(const Draw& draw, VectorView<Real> x) const override;
  void gradient(const Dataset& data, std::span<const SampleId> samples,
                const ConstVectorView<Real>& x, const Draw* dropout,
                VectorView<Real> g) const override;
  // A sample on the border, a·x = 0, counts as one of the first class.
  Score score(const Dataset& data, std::span<const SampleId> samples,
              const ConstVectorView<Real>& x) const override;

 private:
  Index features_;
};

}  // namespace driftless
