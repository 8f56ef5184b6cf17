#include "driftless/problem/standardise.hpp"

#include <cmath>

#include "driftless/base/error.hpp"
#include "driftless/base/function_ref.hpp"

namespace driftless {
namespace {

// Σ of(feature, value) over all samples, by feature, and last how many samples there are.
std::vector<double> sums_over(const Dataset& train, const Partition& groups,
                              const Processes& processes,
                              FunctionRef<double(std::size_t feature, double value)> of) {
  const auto features = static_cast<std::size_t>(train.features);
  std::vector<double> own;
  std::vector<double> row(features);
  for (const auto& group : groups) {
    const std::size_t begin = own.size();
    own.resize(begin + features + 1);
    for (const SampleId sample : group) {
      read_sample(train, sample, row.data());
      for (std::size_t k = 0; k < features; ++k) own[begin + k] += of(k, row[k]);
    }
    own.back() = static_cast<double>(group.size());
  }
  std::vector<double> sums(features + 1);
  const std::vector<double> all = processes.gather_doubles(own);
  for (std::size_t k = 0; k < all.size(); ++k) sums[k % sums.size()] += all[k];
  return sums;
}

}  // namespace

void check_standardisable(const Dataset& train) {
  if (std::holds_alternative<DenseRows>(train.inputs)) return;
  throw ConfigError(
      "problem.standardise = true is for tables (CSV, .npy, .npz), but problem.data holds {}; "
      "leave it out",
      train.images() != nullptr ? "images, which are normalised already"
                                : "sparse rows, which would not stay sparse");
}

Standardisation standardisation_of(const Dataset& train, const Partition& groups,
                                   const Processes& processes) {
  const auto features = static_cast<std::size_t>(train.features);
  Standardisation by{
      .mean = sums_over(train, groups, processes, [](std::size_t, double value) { return value; })};
  const double samples = by.mean.back();
  by.mean.resize(features);
  for (double& mean : by.mean) mean /= samples;
  // Around the mean, so that no two large sums of squares are subtracted.
  by.deviation = sums_over(train, groups, processes, [&](std::size_t k, double value) {
    return (value - by.mean[k]) * (value - by.mean[k]);
  });
  by.deviation.resize(features);
  for (double& deviation : by.deviation) {
    deviation = std::sqrt(deviation / samples);
    if (deviation == 0) deviation = 1;
  }
  return by;
}

void standardise(Dataset& data, const Standardisation& by) {
  auto& values = std::get<DenseRows>(data.inputs).values;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const std::size_t feature = k % by.mean.size();
    values[k] = (values[k] - by.mean[feature]) / by.deviation[feature];
  }
}

}  // namespace driftless
