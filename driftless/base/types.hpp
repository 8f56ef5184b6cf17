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
// and an Eigen::Map all convert to it, and it is an Eigen vector itself. Eigen::Ref would do the
// same at several times the cost, which shows where a gradient takes 10 ns.
template <class Real>
class VectorView : public Eigen::Map<Vector<Real>> {
 public:
  using Map = Eigen::Map<Vector<Real>>;
  VectorView(Vector<Real>& vector) : Map(vector.data(), vector.size()) {}  // NOLINT
  VectorView(const Map& map) : Map(map) {}                                 // NOLINT
  using Map::operator=;
};
template <class Real>
class ConstVectorView : public Eigen::Map<const Vector<Real>> {
 public:
  using Map = Eigen::Map<const Vector<Real>>;
  ConstVectorView(const Vector<Real>& vector) : Map(vector.data(), vector.size()) {}     // NOLINT
  ConstVectorView(const Map& map) : Map(map) {}                                          // NOLINT
  ConstVectorView(const Eigen::Map<Vector<Real>>& map) : Map(map.data(), map.size()) {}  // NOLINT
};

// What classes are that are used through references to them: not copied, and deleted by any of
// their bases.
struct Interface {
  Interface() = default;
  Interface(const Interface&) = delete;
  Interface& operator=(const Interface&) = delete;
  virtual ~Interface() = default;
};

}  // namespace driftless
