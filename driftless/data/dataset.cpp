#include "driftless/data/dataset.hpp"

#include <algorithm>
#include <numeric>

namespace driftless {

template <class Real>
void read_sample(const Dataset& data, SampleId sample, Real* out) {
  if (const Images* images = data.images()) {
    const std::uint8_t* pixels = (*images)[sample];
    const auto scale = static_cast<Real>(1 / (255 * images->deviation));
    const auto shift = static_cast<Real>(-images->mean / images->deviation);
    for (Index k = 0; k < data.features; ++k) out[k] = scale * static_cast<Real>(pixels[k]) + shift;
    return;
  }
  if (const DenseRows* table = std::get_if<DenseRows>(&data.inputs)) {
    const double* row = table->row(sample, data.features);
    std::transform(row, row + data.features, out, [](double x) { return static_cast<Real>(x); });
    return;
  }
  const auto& rows = std::get<SparseRows>(data.inputs);
  const auto s = static_cast<std::size_t>(sample);
  std::fill_n(out, data.features, Real(0));
  for (std::int64_t k = rows.starts[s]; k < rows.starts[s + 1]; ++k) {
    out[rows.features[k]] = static_cast<Real>(rows.values[k]);
  }
}

std::vector<SampleId> every_sample(const Dataset& data) {
  std::vector<SampleId> samples(static_cast<std::size_t>(data.samples()));
  std::iota(samples.begin(), samples.end(), 0);
  return samples;
}

template void read_sample(const Dataset&, SampleId, float*);
template void read_sample(const Dataset&, SampleId, double*);

}  // namespace driftless
