#pragma once

#include "driftless/problem/registry.hpp"

namespace driftless {

// "least_squares": the paper's synthetic problem, or one from a file.
ProblemKind least_squares_kind();

// "softmax", "logistic", "mlp" and "cnn": models that learn from samples, which a split gives to
// the nodes.
std::vector<ProblemKind> learning_kinds();

}  // namespace driftless
