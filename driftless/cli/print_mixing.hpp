#pragma once

#include <optional>
#include <string>

#include "driftless/graph/link_sequence.hpp"

namespace driftless {

// What `driftless topology` tells of a graph that is the same in every round: degrees, spectrum, p
// and what follows from them; with `drop` also p where each link is down for that share of rounds.
void print_graph(const std::string& title, const std::string& weights, const MixingMatrix& mixing,
                 std::optional<double> drop);

// And of links that change from round to round.
void print_sequence(const std::string& title, const LinkSequence& sequence);

}  // namespace driftless
