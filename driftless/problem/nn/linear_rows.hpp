#pragma once

#include <type_traits>

#include "driftless/base/types.hpp"
#include "driftless/data/dataset.hpp"

namespace driftless {

// The samples of a dataset, one at a time, as a linear model sees them: its parameters x are a
// weight a feature and, with an intercept, one more that all samples share. Sparse samples are
// never made dense.
template <class Real>
class LinearRows {
 public:
  // Keeps a reference to the data.
  LinearRows(const Dataset& data, bool intercept)
      : data_(data),
        sparse_(std::get_if<SparseRows>(&data.inputs)),
        table_(std::get_if<DenseRows>(&data.inputs)),
        intercept_(intercept) {}

  // a·w + b
  double value(SampleId sample, const ConstVectorView<Real>& x) const {
    const double product = dot(sample, x);
    return intercept_ ? product + x[data_.features] : product;
  }

  // g += factor (a, 1), which is factor times the gradient of the value.
  void add(SampleId sample, double factor, VectorView<Real>& g) const {
    if (intercept_) g[data_.features] += static_cast<Real>(factor);
    if (!sparse_) {
      g.head(data_.features) += static_cast<Real>(factor) * dense(sample);
      return;
    }
    for_each_entry(sample, [&](Index feature, double value) {
      g[feature] += static_cast<Real>(factor * value);
    });
  }

 private:
  using Row = Eigen::Map<const Vector<Real>>;

  double dot(SampleId sample, const ConstVectorView<Real>& x) const {
    if (!sparse_) return dense(sample).dot(x.head(data_.features));
    double sum = 0;
    for_each_entry(sample, [&](Index feature, double value) { sum += value * x[feature]; });
    return sum;
  }

  // Of a table in double, the row where it lies. Otherwise a copy, which the thread's next
  // replaces.
  Row dense(SampleId sample) const {
    if constexpr (std::is_same_v<Real, double>) {
      if (table_) return Row(table_->row(sample, data_.features), data_.features);
    }
    thread_local Vector<Real> features;
    features.resize(data_.features);
    read_sample(data_, sample, features.data());
    return Row(features.data(), features.size());
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
  const SparseRows* sparse_;  // null where the samples are dense
  const DenseRows* table_;    // null where they are no table
  bool intercept_;
};

}  // namespace driftless
