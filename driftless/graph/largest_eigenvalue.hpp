#pragma once

#include "driftless/base/types.hpp"
#include "driftless/graph/lanczos.hpp"

namespace driftless {

// The largest eigenvalue of an operator, with a relative error of at most `tolerance`. It must
// stand out from the others, as that of the inverse of a nearly singular matrix does: then a basis
// of two dozen vectors finds it.
double largest_eigenvalue(const SymmetricOperator& product, Index dimension, double tolerance);

}  // namespace driftless
