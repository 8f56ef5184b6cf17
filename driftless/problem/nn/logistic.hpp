#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "driftless/base/error.hpp"
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
  explicit Logistic(const Dataset& data) : features_(data.features) {
    if (data.classes() != 2) {
      throw ConfigError(
          "problem.kind = \"logistic\" needs two classes, but problem.data has {}: {}; "
          "softmax takes any number",
          data.classes(), fmt::join(data.class_names, ", "));
    }
  }

  Index dim() const override { return features_; }
  void initialise(const Draw& /*draw*/, VectorView<Real> x) const override { x.setZero(); }

  void gradient(const Dataset& data, std::span<const SampleId> samples,
                const ConstVectorView<Real>& x, const Draw* /*dropout*/,
                VectorView<Real> g) const override {
    const Samples all(data);
    const double scale = 1 / static_cast<double>(samples.size());
    g.setZero();
    for (const SampleId sample : samples) {
      const double y = all.sign(sample);
      const double margin = y * all.dot(sample, x);
      // A large margin makes exp infinite and the share zero, as it should be.
      all.add(sample, -scale * y / (1 + std::exp(margin)), g);
    }
  }

  // A sample on the border, a·x = 0, counts as one of the first class.
  Score score(const Dataset& data, std::span<const SampleId> samples,
              const ConstVectorView<Real>& x) const override {
    const Samples all(data);
    Score score;
    for (const SampleId sample : samples) {
      const double y = all.sign(sample);
      const double product = all.dot(sample, x);
      const double margin = y * product;
      // log(1 + exp(−margin)) without ever taking the exponential of a positive number.
      score.loss += std::max(0.0, -margin) + std::log1p(std::exp(-std::abs(margin)));
      if ((product > 0) == (y > 0)) ++score.correct;
    }
    return score;
  }

 private:
  // The samples of a dataset, one at a time, as what a linear model asks of them.
  class Samples {
   public:
    explicit Samples(const Dataset& data)
        : data_(data), sparse_(std::get_if<SparseRows>(&data.inputs)) {}

    // a·x
    double dot(SampleId sample, const ConstVectorView<Real>& x) const {
      if (!sparse_) return dense(sample).dot(x);
      double sum = 0;
      for_each_entry(sample, [&](Index feature, double value) { sum += value * x[feature]; });
      return sum;
    }

    // g += factor a
    void add(SampleId sample, double factor, VectorView<Real>& g) const {
      if (!sparse_) {
        g += static_cast<Real>(factor) * dense(sample);
        return;
      }
      for_each_entry(sample, [&](Index feature, double value) {
        g[feature] += static_cast<Real>(factor * value);
      });
    }

    // −1 for the first class and +1 for the second.
    double sign(SampleId sample) const {
      return data_.labels[static_cast<std::size_t>(sample)] == 0 ? -1 : 1;
    }

   private:
    const Vector<Real>& dense(SampleId sample) const {
      thread_local Vector<Real> features;
      features.resize(data_.features);
      read_sample(data_, sample, features.data());
      return features;
    }

    template <class Body>
    void for_each_entry(SampleId sample, const Body& body) const {
      const auto s = static_cast<std::size_t>(sample);
      for (std::int64_t entry = sparse_->starts[s]; entry < sparse_->starts[s + 1]; ++entry) {
        const auto e = static_cast<std::size_t>(entry);
        body(sparse_->features[e], sparse_->values[e]);
      }
    }

    const Dataset& data_;
    const SparseRows* sparse_;
  };

  Index features_;
};

}  // namespace driftless
