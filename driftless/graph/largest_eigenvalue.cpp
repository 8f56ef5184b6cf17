#include "driftless/graph/lanczos.hpp"

#include <Spectra/SymEigsSolver.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace driftless {
namespace {

// The operator as Spectra wants it.
struct SpectraOperator {
  using Scalar = double;  // NOLINT(readability-identifier-naming)

  const SymmetricOperator& product;
  Index dimension;

  Index rows() const { return dimension; }
  Index cols() const { return dimension; }
  void perform_op(const double* in, double* out) const {
    product(Eigen::Map<const Vector<double>>(in, dimension),
            Eigen::Map<Vector<double>>(out, dimension));
  }
};

// Nothing if the restarts do not converge, or if they meet an operator with so few distinct
// eigenvalues that the basis falls apart, which Spectra reports by throwing.
std::optional<double> by_restarted_lanczos(const SymmetricOperator& product, Index dimension,
                                           double tolerance) {
  constexpr Index wanted = 1;
  constexpr Index max_basis = 24;
  constexpr Index max_restarts = 20;
  const Index basis = std::min(max_basis, dimension);
  if (basis <= wanted) return std::nullopt;
  SpectraOperator op{product, dimension};
  try {
    Spectra::SymEigsSolver<SpectraOperator> solver(op, wanted, basis);
    solver.init(start_vector(dimension).data());
    solver.compute(Spectra::SortRule::LargestAlge, max_restarts, tolerance);
    if (solver.info() == Spectra::CompInfo::Successful) return solver.eigenvalues()[0];
  } catch (const std::runtime_error&) {
  }
  return std::nullopt;
}

double by_plain_lanczos(const SymmetricOperator& product, Index dimension, double tolerance) {
  constexpr int max_steps = 300;  // later changes are the rounding of the solves
  Lanczos lanczos(product, dimension);
  lanczos.run(max_steps, [tolerance](const RitzValue&, const RitzValue& highest) {
    return highest.change <= 0.1 * tolerance * highest.value;
  });
  return lanczos.highest().value;
}

}  // namespace

double largest_eigenvalue(const SymmetricOperator& product, Index dimension, double tolerance) {
  const std::optional<double> found = by_restarted_lanczos(product, dimension, tolerance);
  return found ? *found : by_plain_lanczos(product, dimension, tolerance);
}

}  // namespace driftless
