#pragma once

#include "driftless/graph/mixing_matrix.hpp"

namespace driftless {

// How fast W mixes. One round shrinks the consensus distance (1/n) Σ‖x_i − x̄‖² by 1 − p or more.
// A single node has nothing to mix: λ2 = λn = 0 and p = 1.
struct Spectrum {
  double lambda2 = 0;     // the second largest eigenvalue
  double lambda_min = 0;  // the smallest eigenvalue
  double gap = 1;         // 1 − max(|λ2|, |λn|)
  double p = 1;           // 1 − max(|λ2|, |λn|)²
};

Spectrum spectrum(const MixingMatrix& mixing);

}  // namespace driftless
