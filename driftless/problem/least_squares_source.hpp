#pragma once

#include "driftless/problem/registry.hpp"

namespace driftless {

// "least_squares": the paper's synthetic problem, or one from a file.
ProblemKind least_squares_kind();

}  // namespace driftless
