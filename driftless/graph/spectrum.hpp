#pragma once

#include "driftless/graph/mixing_matrix.hpp"

namespace driftless {

// How fast W mixes. One round shrinks the consensus distance (1/n) Σ‖x_i − x̄‖² to 1 − p of it or
// less. A single node has nothing to mix: λ2 = λn = 0 and p = 1. If neighbours only swap (a
// bipartite graph without self-weights), λn = −1 and p = 0: the nodes never agree.
struct Spectrum {
  double lambda2 = 0;     // the second largest eigenvalue
  double lambda_min = 0;  // the smallest eigenvalue
  double gap = 1;         // 1 − max(|λ2|, |λn|), to about 1e-6 of itself even if tiny
  double p = 1;           // 1 − max(|λ2|, |λn|)²
};

Spectrum spectrum(const MixingMatrix& mixing);

namespace detail {
// The two ways to it, apart for tests: all eigenvalues in O(n³), or the extremes of a sparse W.
Spectrum dense_spectrum(const MixingMatrix& mixing);
Spectrum sparse_spectrum(const MixingMatrix& mixing);
}  // namespace detail

}  // namespace driftless
