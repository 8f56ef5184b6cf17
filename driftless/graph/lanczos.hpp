#pragma once

#include <functional>
#include <vector>

#include "driftless/base/types.hpp"

namespace driftless {

// An estimate of an extreme eigenvalue, approached from inside the spectrum.
struct RitzValue {
  double value = 0;
  double change = 0;  // since the previous check, a fifth of the steps ago
};

// y ← A x, for a symmetric A.
using SymmetricOperator =
    std::function<void(const ConstVectorView<double>& x, VectorView<double> y)>;

// Where an iteration starts: the same in every run, of zero mean and unit length.
Vector<double> start_vector(Index dimension);

// Both ends of the spectrum of W by the plain three-term Lanczos recurrence. Without
// reorthogonalisation rounding repeats eigenvalues that have converged but invents none, so the
// ends stay right, and a step costs one product and three passes over a vector.
//
// Spectra's restarted solver keeps and orthogonalises a whole basis. Asked for both ends of W it
// took 3 to 6 s on expanders of 100,000 nodes where this takes 0.4 to 1 s, and on a star it gave
// λ2 twice instead of λ2 and λn.
class Lanczos {
 public:
  using Enough = std::function<bool(const RitzValue& lowest, const RitzValue& highest)>;

  Lanczos(SymmetricOperator product, Index dimension);

  // Goes on until `enough` or until `max_steps` in all; false in the latter case.
  bool run(int max_steps, const Enough& enough);

  const RitzValue& lowest() const { return lowest_; }
  const RitzValue& highest() const { return highest_; }

 private:
  void step();
  void update_ritz_values();

  SymmetricOperator product_;
  Vector<double> current_;
  Vector<double> previous_;
  Vector<double> next_;
  std::vector<double> diagonal_;  // of the tridiagonal matrix that the recurrence builds
  std::vector<double> off_diagonal_;
  RitzValue lowest_;
  RitzValue highest_;
};

// The largest eigenvalue of an operator, with a relative error of at most `tolerance`. It must
// stand out from the others, as that of the inverse of a nearly singular matrix does: then a basis
// of two dozen vectors finds it.
double largest_eigenvalue(const SymmetricOperator& product, Index dimension, double tolerance);

}  // namespace driftless
