#pragma once

#include "driftless/problem/registry.hpp"

namespace driftless {

// "softmax", "logistic", "mlp" and "cnn": models that learn from samples, which a split gives to
// the nodes.
std::vector<ProblemKind> learning_kinds();

}  // namespace driftless
