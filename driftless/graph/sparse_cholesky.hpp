#pragma once

#include <Eigen/SparseCholesky>
#include <cstdint>
#include <new>
#include <vector>

#include "driftless/base/types.hpp"

namespace driftless {

using SparseMatrix = Eigen::SparseMatrix<double, Eigen::ColMajor, std::int64_t>;
using SparseEntries = std::vector<Eigen::Triplet<double, std::int64_t>>;

// Entries that are given twice are added.
inline SparseMatrix square_matrix(Index size, const SparseEntries& entries) {
  SparseMatrix matrix(size, size);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

// The factors of a sparse matrix that is positive definite.
class SparseCholesky : public Eigen::SimplicialLDLT<SparseMatrix> {
 public:
  // False if the factors would be too large, as for expanders, or the matrix is not positive
  // definite. The lower triangle is enough.
  bool factor(const SparseMatrix& matrix) {
    constexpr std::int64_t max_entries = 40'000'000;
    try {
      analyzePattern(matrix);
    } catch (const std::bad_alloc&) {
      return false;
    }
    if (m_nonZerosPerCol.sum() > max_entries) return false;
    factorize(matrix);
    return info() == Eigen::Success && vectorD().minCoeff() > 0;
  }
};

}  // namespace driftless
