#pragma once

#include "driftless/problem/nn/fitting_data.hpp"
#include "driftless/problem/nn/linear_rows.hpp"
#include "driftless/problem/nn/model.hpp"

namespace driftless {

// Linear regression by least squares: the loss of a sample a with the target y is (a·w + b − y)²,
// so the mean loss is the mean squared error. The parameters are one a feature and, with an
// intercept, b last. Training starts at zero. Nothing counts as a right answer.
template <class Real>
class Linear final : public Model<Real> {
 public:
  // Takes the number of features from the data, which it does not keep. Throws ConfigError where
  // the data have classes instead of numbers.
  Linear(const Dataset& data, bool intercept) : features_(data.features), intercept_(intercept) {
    nn::expect_numbers("linear", data);
  }

  Index dim() const override { return features_ + (intercept_ ? 1 : 0); }
  Index outputs() const override { return 1; }
  void initialise(const Draw& /*draw*/, VectorView<Real> x) const override { x.setZero(); }

  void gradient(const Dataset& data, std::span<const SampleId> samples,
                const ConstVectorView<Real>& x, const Draw* /*dropout*/,
                VectorView<Real> g) const override {
    const LinearRows<Real> rows(data, intercept_);
    const double scale = 2 / static_cast<double>(samples.size());
    g.setZero();
    for (const SampleId sample : samples) rows.add(sample, scale * error(rows, data, sample, x), g);
  }

  Score score(const Dataset& data, std::span<const SampleId> samples,
              const ConstVectorView<Real>& x) const override {
    const LinearRows<Real> rows(data, intercept_);
    Score score;
    for (const SampleId sample : samples) {
      const double miss = error(rows, data, sample, x);
      score.loss += miss * miss;
    }
    return score;
  }

  void predict(const Dataset& data, std::span<const SampleId> samples,
               const ConstVectorView<Real>& x, double* out) const override {
    const LinearRows<Real> rows(data, intercept_);
    for (const SampleId sample : samples) *out++ = rows.value(sample, x);
  }

 private:
  static double error(const LinearRows<Real>& rows, const Dataset& data, SampleId sample,
                      const ConstVectorView<Real>& x) {
    return rows.value(sample, x) - data.targets[static_cast<std::size_t>(sample)];
  }

  Index features_;
  bool intercept_;
};

}  // namespace driftless
