#pragma once

#include <tbb/enumerable_thread_specific.h>

#include <memory>

#include "driftless/base/types.hpp"

namespace driftless {

// A vector that lasts for one node's turn: every worker has its own, so it costs d numbers a worker
// where Rows would cost d a node. What it holds at the beginning of a turn is unspecified.
template <class Real>
class Scratch {
 public:
  explicit Scratch(Index dim) : vectors_([dim] { return Vector<Real>(Vector<Real>::Zero(dim)); }) {}

  Eigen::Map<Vector<Real>> get() const {
    Vector<Real>& vector = vectors_.local();
    return {vector.data(), vector.size()};
  }

 private:
  // Not in TBB's own memory, which ThreadSanitizer cannot follow from worker to worker.
  using InHeap = std::allocator<Vector<Real>>;
  mutable tbb::enumerable_thread_specific<Vector<Real>, InHeap> vectors_;
};

}  // namespace driftless
