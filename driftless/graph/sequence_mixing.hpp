#pragma once

#include <optional>

#include "driftless/graph/link_sequence.hpp"

namespace driftless {

// The smallest node that no path of the links of all rounds together leads to from node 0; none if
// all are reached, as they are if links are drawn anew every round.
std::optional<NodeId> never_reached(const LinkSequence& sequence);

// How fast a sequence mixes: so many rounds shrink the consensus distance to 1 − p of it or less.
// It is that of Spectrum for a sequence of period 1. Of links that are drawn anew every round it is
// that of one round in expectation.
struct PeriodMixing {
  Round rounds = 1;
  double p = 1;
  bool p_is_bound = false;  // p is no more than this; so it is where to find it would take too long
};

// p = 1 − ‖W_{T−1} … W_0 − J‖², where T is the period, J is all 1/n and the norm is the largest
// singular value.
PeriodMixing period_mixing(const LinkSequence& sequence);

// p of one round in expectation if each link is down with probability `drop`, both ways and
// whatever the others do, and its weight goes back to the diagonals of both ends: 1 − the largest
// eigenvalue of E[W_t²] on vectors of zero mean. With a = 1 − drop and L = I − W,
//   E[W_t²] = (I − a L)² + 2 a (1 − a) Σ_e w_e² L_e,
// where L_e is the Laplacian of link e, as L_e² = 2 L_e. ConfigError if drop is not from 0 to 1.
double expected_p(const MixingMatrix& mixing, double drop);

namespace detail {
// The two ways to each, apart for tests: all eigenvalues in O(n³), or the extreme one by products
// with sparse rows.
PeriodMixing dense_period_mixing(const LinkSequence& sequence);
PeriodMixing sparse_period_mixing(const LinkSequence& sequence);
double dense_expected_p(const MixingMatrix& mixing, double drop);
double sparse_expected_p(const MixingMatrix& mixing, double drop);
}  // namespace detail

}  // namespace driftless
