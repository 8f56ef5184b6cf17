#pragma once

#include <span>

#include "driftless/base/draw.hpp"
#include "driftless/base/types.hpp"
#include "driftless/data/dataset.hpp"

namespace driftless {

struct Score {
  double loss = 0;  // summed over the samples
  std::int64_t correct = 0;
};

// What is trained on examples: a loss of parameters and samples, and its gradient. The parameters
// are one flat vector.
//
// All functions are const and are called from many threads at the same time, so an implementation
// has work space of its own for each thread.
template <class Real>
class Model : public Interface {
 public:
  virtual Index dim() const = 0;
  // How many numbers it says of a sample: a probability for each class, or the one number learnt.
  virtual Index outputs() const = 0;

  // The parameters that training starts from; all that is random in them comes from the draw.
  virtual void initialise(const Draw& draw, VectorView<Real> x) const = 0;

  // g ← the gradient of the samples' mean loss. In models with dropout, the draw decides what
  // is dropped; a null draw drops nothing.
  virtual void gradient(const Dataset& data, std::span<const SampleId> samples,
                        const ConstVectorView<Real>& x, const Draw* dropout,
                        VectorView<Real> g) const = 0;

  // Loss and right answers of the samples, nothing dropped out.
  virtual Score score(const Dataset& data, std::span<const SampleId> samples,
                      const ConstVectorView<Real>& x) const = 0;

  // out[b][outputs()] ← what it says of the samples, nothing dropped out. Reads neither labels nor
  // targets, so the data may be without.
  virtual void predict(const Dataset& data, std::span<const SampleId> samples,
                       const ConstVectorView<Real>& x, double* out) const = 0;
};

}  // namespace driftless
