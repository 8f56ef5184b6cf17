#pragma once

#include "driftless/problem/registry.hpp"

namespace driftless {

// "least_squares": the paper's synthetic problem, or one from a file.
ProblemKind least_squares_kind();

// "linear", "softmax", "logistic", "mlp" and "cnn": models that learn from samples, which nodes
// have in files of their own or a split gives to them.
std::vector<ProblemKind> learning_kinds();

}  // namespace driftless
