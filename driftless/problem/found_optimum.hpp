#pragma once

#include <cstdint>
#include <memory>

#include "driftless/base/notice.hpp"
#include "driftless/base/processes.hpp"
#include "driftless/problem/problem.hpp"

namespace driftless {

// Collective: the minimum of f = (1/n) Σ f_i, where every f_i is convex and has λ/2 ‖x‖² in it with
// λ = `convexity` > 0. It is sought by L-BFGS, each process giving the gradients of its nodes, and
// kept in the data cache under `content`, which is a fingerprint of all that f depends on. Throws
// ConfigError where it cannot be found to 1e-11 of 1 + |f|, which ‖∇f‖²/2λ tells.
std::shared_ptr<const Optimum> found_optimum(const Problem<double>& problem, double convexity,
                                             std::uint64_t content, NodeRange hosted,
                                             const Processes& processes, const Notice& notice);

}  // namespace driftless
