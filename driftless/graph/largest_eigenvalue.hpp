#pragma once

#include "driftless/base/types.hpp"
#include "driftless/graph/lanczos.hpp"

namespace driftless {

// The largest eigenvalue of an operator, within `tolerance` of itself, where it stands out as that
// of a nearly singular matrix's inverse does: a basis of two dozen vectors then finds it.
double largest_eigenvalue(const SymmetricOperator& product, Index dimension, double tolerance);

}  // namespace driftless
