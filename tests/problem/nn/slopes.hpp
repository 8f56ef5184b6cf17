#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <span>

#include "driftless/problem/nn/model.hpp"

namespace driftless::testing {

// The gradient of f by central differences of the fourth order: what is left is rounding, about
// 1e-12 f, and 1e-16 of the fifth derivative.
inline Vector<double> slopes(const std::function<double(const Vector<double>&)>& f,
                             const Vector<double>& x) {
  constexpr double step = 1e-4;
  Vector<double> result(x.size());
  Vector<double> moved = x;
  const auto at = [&](Index j, double distance) {
    moved[j] = x[j] + distance;
    const double value = f(moved);
    moved[j] = x[j];
    return value;
  };
  for (Index j = 0; j < x.size(); ++j) {
    result[j] =
        (8 * (at(j, step) - at(j, -step)) - (at(j, 2 * step) - at(j, -2 * step))) / (12 * step);
  }
  return result;
}

// |found − expected| against the largest of expected.
template <class Real>
void expect_close(const Vector<Real>& found, const Vector<double>& expected, double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  const double scale = expected.cwiseAbs().maxCoeff();
  EXPECT_GT(scale, 0);
  EXPECT_LT((found.template cast<double>() - expected).cwiseAbs().maxCoeff(), tolerance * scale);
}

template <class Real>
Vector<Real> gradient_of(const Model<Real>& model, const Dataset& data,
                         std::span<const SampleId> samples, const Vector<Real>& x) {
  // A gradient is set, not added: what was there must not show.
  Vector<Real> g = Vector<Real>::Constant(model.dim(), Real{777});
  model.gradient(data, samples, x, nullptr, g);
  return g;
}

// The gradient in double against the slopes of the model's own mean loss.
inline void expect_gradient_of_score(const Model<double>& model, const Dataset& data,
                                     std::span<const SampleId> samples, const Vector<double>& x) {
  const auto mean_loss = [&](const Vector<double>& at) {
    return model.score(data, samples, at).loss / static_cast<double>(samples.size());
  };
  expect_close(gradient_of(model, data, samples, x), slopes(mean_loss, x), 1e-7);
}

// The gradient in float against that in double, at a point that float has exactly.
inline void expect_same_in_float(const Model<float>& in_float, const Model<double>& in_double,
                                 const Dataset& data, std::span<const SampleId> samples,
                                 const Vector<double>& x) {
  const Vector<float> rounded = x.cast<float>();
  const Vector<double> same = rounded.cast<double>();
  expect_close(gradient_of(in_float, data, samples, rounded),
               gradient_of(in_double, data, samples, same), 1e-5);
  const Score score = in_float.score(data, samples, rounded);
  const Score expected = in_double.score(data, samples, same);
  EXPECT_NEAR(score.loss, expected.loss, 1e-5 * expected.loss);
  EXPECT_EQ(score.correct, expected.correct);
}

}  // namespace driftless::testing
