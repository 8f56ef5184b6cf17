#pragma once

#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "driftless/base/random.hpp"
#include "driftless/data/dataset.hpp"

namespace driftless::testing {

inline double random_within(double bound, std::uint64_t seed, std::uint64_t index) {
  return bound * (2 * uniform(Draw{.seed = seed}, Purpose::problem_data, index) - 1);
}

template <class Real>
std::vector<Real> random_values(std::uint64_t seed, Index size) {
  std::vector<Real> values(static_cast<std::size_t>(size));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<Real>(random_within(1, seed, i));
  }
  return values;
}

template <class Real>
Vector<Real> random_vector(std::uint64_t seed, Index size) {
  const std::vector<Real> values = random_values<Real>(seed, size);
  return Vector<Real>::Map(values.data(), size);
}

inline Dataset labelled(Index features, SampleId samples, int classes) {
  Dataset data;
  data.features = features;
  for (int c = 0; c < classes; ++c) data.class_names.push_back(std::to_string(c));
  for (SampleId s = 0; s < samples; ++s) {
    data.labels.push_back(static_cast<std::int32_t>(
        uniform(Draw{.seed = 1}, Purpose::problem_data, static_cast<std::uint64_t>(s)) * classes));
  }
  return data;
}

inline Dataset tiny_images(int rows, int columns, SampleId samples, int classes) {
  Dataset data = labelled(Index{rows} * columns, samples, classes);
  Images images{.rows = rows, .columns = columns, .mean = 0.4, .deviation = 0.5};
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(samples * data.features); ++i) {
    images.pixels.push_back(
        static_cast<std::uint8_t>(256 * uniform(Draw{.seed = 2}, Purpose::problem_data, i)));
  }
  data.inputs = std::move(images);
  return data;
}

// Every third entry is there; sample 0 has none.
inline Dataset tiny_sparse(Index features, SampleId samples, int classes) {
  Dataset data = labelled(features, samples, classes);
  SparseRows rows;
  rows.starts.push_back(0);
  for (SampleId s = 1; s < samples; ++s) {
    for (Index j = s % 3; j < features; j += 3) {
      rows.features.push_back(static_cast<std::int32_t>(j));
      rows.values.push_back(random_within(2, 3, static_cast<std::uint64_t>(s * features + j)));
    }
    rows.starts.push_back(std::ssize(rows.values));
  }
  data.inputs = std::move(rows);
  return data;
}

// Rows of numbers within 1.
inline Dataset tiny_table(Index features, SampleId samples, int classes) {
  Dataset data = labelled(features, samples, classes);
  data.inputs = DenseRows{.values = random_values<double>(4, features * samples)};
  return data;
}

// The same samples with numbers to learn in place of classes.
inline Dataset with_targets(Dataset data) {
  data.targets = random_values<double>(5, data.samples());
  data.labels.clear();
  data.class_names.clear();
  return data;
}

// The same samples with nothing to learn.
inline Dataset unlabelled(Dataset data) {
  data.unlabelled = data.samples();
  data.labels.clear();
  data.targets.clear();
  return data;
}

inline std::vector<SampleId> all_samples(const Dataset& data) {
  std::vector<SampleId> samples(static_cast<std::size_t>(data.samples()));
  std::iota(samples.begin(), samples.end(), 0);
  return samples;
}

}  // namespace driftless::testing
