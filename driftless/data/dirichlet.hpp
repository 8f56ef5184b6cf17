#pragma once

#include <vector>

#include "driftless/base/draw.hpp"

namespace driftless {

// `count` proportions that sum to 1, drawn from Dir(alpha, …, alpha): Gamma(alpha) variables by
// Marsaglia and Tsang (ACM TOMS 26, 2000) over their sum. They are kept as logarithms, since for a
// small alpha nearly all are below the smallest double. Number i takes the words of node i of the
// draw, purpose split. Throws ConfigError unless alpha is above 0 and finite.
std::vector<double> dirichlet(double alpha, NodeId count, const Draw& draw);

}  // namespace driftless
