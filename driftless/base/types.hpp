#pragma once

#include <Eigen/Core>
#include <cstdint>

namespace driftless {

using NodeId = int;           // 0 … n−1
using Round = std::int64_t;   // communication rounds, from 0
using Step = int;             // local steps within a round, from 0
using Index = Eigen::Index;   // coordinates of a model
using Bytes = std::uint64_t;  // what went over the wire

template <class Real>
using Vector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;

// How vectors are handed over: a pointer and a length, never a copy. A `Vector`, a row of `Rows`
// and an Eigen::Map all convert to it.
template <class Real>
using VectorView = Eigen::Ref<Vector<Real>>;
template <class Real>
using ConstVectorView = Eigen::Ref<const Vector<Real>>;

}  // namespace driftless
