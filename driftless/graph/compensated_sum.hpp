#pragma once

#include <cmath>

namespace driftless {

// Neumaier's summation: the error does not grow with the number of terms. The centre of a large
// star has a row of many equal weights that would miss 1 by more than the tolerance otherwise.
class CompensatedSum {
 public:
  void add(double term) {
    const double total = sum_ + term;
    lost_ += std::abs(sum_) >= std::abs(term) ? (sum_ - total) + term : (term - total) + sum_;
    sum_ = total;
  }
  double value() const { return sum_ + lost_; }

 private:
  double sum_ = 0;
  double lost_ = 0;
};

}  // namespace driftless
