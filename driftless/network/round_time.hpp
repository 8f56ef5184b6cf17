#pragma once

#include "driftless/graph/mixing_matrix.hpp"

namespace driftless {

// What a round takes when the nodes sit on machines with a link each:
//
//   T(K) = m · K · τ + α + V/β,
//
// at the slowest machine: m nodes there, one after the other, do K local steps of τ seconds each;
// then V bytes leave the machine or arrive, whichever is more, over a link with a latency of α
// seconds and β bytes a second each way. Messages of one machine share its link, and travel at the
// same time as those of the others. So local steps are free while m · K · τ is small beside
// α + V/β, and the time to a target is T(K) times the rounds it takes with K.
struct RoundTimeOptions {
  int machines = 1;            // the nodes are spread over them in contiguous blocks
  Bytes message = 0;           // what a node tells a neighbour in a round
  double step = 0;             // τ, seconds
  double latency = 0;          // α, seconds
  double bandwidth = 125.0e6;  // β, bytes a second: 1 Gbit/s
};

struct RoundTime {
  double local = 0;     // seconds
  double exchange = 0;  // seconds
  double seconds() const { return local + exchange; }
};

// Rows that several nodes of another machine need travel there once, as MpiNetwork sends them.
RoundTime round_time(const MixingMatrix& mixing, Step local_steps, const RoundTimeOptions& options);

}  // namespace driftless
