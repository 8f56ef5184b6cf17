#pragma once

#include <memory>

#include "driftless/problem/registry.hpp"

namespace driftless {

// Where problems that learn from samples come from: data, splits, models and minima, each once for
// all runs that need the same.
std::unique_ptr<ProblemSource> open_data_source();

}  // namespace driftless
