#pragma once

#include "driftless/base/types.hpp"

namespace driftless::codec {

// The sum of term(v_j), in double and in an order that no machine changes: eight sums of every
// eighth number, added up in pairs.
template <class Real, class Term>
double row_sum(const Real* v, Index d, const Term& term) {
  double sums[8] = {};
  Index j = 0;
  for (; j + 8 <= d; j += 8) {
    for (Index l = 0; l < 8; ++l) sums[l] += term(static_cast<double>(v[j + l]));
  }
  for (Index l = 0; j + l < d; ++l) sums[l] += term(static_cast<double>(v[j + l]));
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

}  // namespace driftless::codec
