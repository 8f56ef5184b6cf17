#pragma once

#include <algorithm>
#include <cmath>

#include "driftless/problem/nn/fitting_data.hpp"
#include "driftless/problem/nn/linear_rows.hpp"
#include "driftless/problem/nn/model.hpp"

namespace driftless {

// Binary logistic regression: the loss of a sample a of class y is log(1 + exp(−y (a·w + b))),
// where the first class of the data means y = −1 and the second y = +1. The parameters are one a
// feature and, with an intercept, b last. Training starts at zero.
template <class Real>
class Logistic final : public Model<Real> {
 public:
  // Takes the number of features from the data, which it does not keep. Throws ConfigError unless
  // there are two classes.
  Logistic(const Dataset& data, bool intercept) : features_(data.features), intercept_(intercept) {
    nn::expect_classes("logistic", data);
    if (data.classes() != 2) {
      throw ConfigError(
          "problem.kind = \"logistic\" needs two classes, but problem.data has {}: {}; "
          "softmax takes any number",
          data.classes(), fmt::join(data.class_names, ", "));
    }
  }

  Index dim() const override { return features_ + (intercept_ ? 1 : 0); }
  Index outputs() const override { return 2; }
  void initialise(const Draw& /*draw*/, VectorView<Real> x) const override { x.setZero(); }

  void gradient(const Dataset& data, std::span<const SampleId> samples,
                const ConstVectorView<Real>& x, const Draw* /*dropout*/,
                VectorView<Real> g) const override {
    const LinearRows<Real> rows(data, intercept_);
    const double scale = 1 / static_cast<double>(samples.size());
    g.setZero();
    for (const SampleId sample : samples) {
      const double y = sign(data, sample);
      const double margin = y * rows.value(sample, x);
      // A large margin makes exp infinite and the share zero, as it should be.
      rows.add(sample, -scale * y / (1 + std::exp(margin)), g);
    }
  }

  // A sample on the border, a·w + b = 0, counts as one of the first class.
  Score score(const Dataset& data, std::span<const SampleId> samples,
              const ConstVectorView<Real>& x) const override {
    const LinearRows<Real> rows(data, intercept_);
    Score score;
    for (const SampleId sample : samples) {
      const double y = sign(data, sample);
      const double value = rows.value(sample, x);
      const double margin = y * value;
      // log(1 + exp(−margin)) without ever taking the exponential of a positive number.
      score.loss += std::max(0.0, -margin) + std::log1p(std::exp(-std::abs(margin)));
      if ((value > 0) == (y > 0)) ++score.correct;
    }
    return score;
  }

  // Each probability by itself: one minus the other would lose the digits of a small one.
  void predict(const Dataset& data, std::span<const SampleId> samples,
               const ConstVectorView<Real>& x, double* out) const override {
    const LinearRows<Real> rows(data, intercept_);
    for (const SampleId sample : samples) {
      const double value = rows.value(sample, x);
      *out++ = 1 / (1 + std::exp(value));
      *out++ = 1 / (1 + std::exp(-value));
    }
  }

 private:
  // −1 for the first class and +1 for the second.
  static double sign(const Dataset& data, SampleId sample) {
    return data.labels[static_cast<std::size_t>(sample)] == 0 ? -1 : 1;
  }

  Index features_;
  bool intercept_;
};

}  // namespace driftless
