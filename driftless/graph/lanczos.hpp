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

// The extreme eigenvalues of a symmetric operator by the plain three-term Lanczos recurrence.
// Without reorthogonalisation rounding repeats eigenvalues that have converged but invents none, so
// the extremes stay right, and a step costs one product and three passes over a vector. On
// expanders of 100,000 nodes this is several times faster than restarted methods, which keep and
// orthogonalise a whole basis.
class Lanczos {
 public:
  using Operator = std::function<void(const Vector<double>& x, Vector<double>& y)>;
  using Enough = std::function<bool(const RitzValue& lowest, const RitzValue& highest)>;

  Lanczos(Operator product, Index dimension);

  // Goes on until `enough` or until `max_steps` in all; false in the latter case.
  bool run(int max_steps, const Enough& enough);

  const RitzValue& lowest() const { return lowest_; }
  const RitzValue& highest() const { return highest_; }

 private:
  void step();
  void update_ritz_values();

  Operator product_;
  Vector<double> current_;
  Vector<double> previous_;
  Vector<double> next_;
  std::vector<double> diagonal_;  // of the tridiagonal matrix that the recurrence builds
  std::vector<double> off_diagonal_;
  RitzValue lowest_;
  RitzValue highest_;
};

}  // namespace driftless
