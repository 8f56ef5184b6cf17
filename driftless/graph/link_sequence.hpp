#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

#include "driftless/graph/mixing_matrix.hpp"
#include "driftless/graph/weights.hpp"

namespace driftless {

// The links of every round and their weights: W_t, symmetric and non-negative with rows that sum to
// 1, a pure function of the round. The links of one round need not connect the nodes.
class LinkSequence : public Interface {
 public:
  virtual NodeId nodes() const = 0;
  virtual Round period() const = 0;  // W_t = W_{t + period}; 0: drawn anew every round
  // Row i holds its diagonal entry, even if zero, and the linked nodes, whose weights are positive,
  // ascending as in MixingMatrix::row. Reuses out's memory. Takes time linear in nodes and links.
  virtual void links(Round t, WeightRows& out) const = 0;
  virtual NodeId most_peers() const = 0;  // of a node in any round

  // Of links that are drawn anew every round: the largest eigenvalue of E[(s I + (1 − s) W_t)²] on
  // vectors of zero mean, where s is `stay`. One round shrinks the consensus distance to so much of
  // it in expectation. 1, which says nothing, where it is not known.
  virtual double expected_square(double /*stay*/) const { return 1; }
};

// In round t node i meets the node whose id differs in bit t mod b, if there is one; b is the
// number of bits of the largest id, and the period. The weights are 1/2, so b rounds give the exact
// average if the number of nodes is a power of two. This is the one-peer exponential graph of Ying
// et al. (NeurIPS 2021, arXiv 2110.13363) with links that work both ways: theirs send to i + 2^t
// and receive from i − 2^t.
std::unique_ptr<LinkSequence> make_one_peer_exponential(NodeId nodes);

// Every round a matching that is drawn uniformly from all that leave at most one node idle, with
// weights 1/2. Boyd et al. (2006, Randomized gossip algorithms) draw one such pair at a time.
std::unique_ptr<LinkSequence> make_random_matching(NodeId nodes, std::uint64_t seed);

// The Base-(k + 1) graph of Takezawa et al. (NeurIPS 2023, arXiv 2305.11420): a node has at most
// k = `peers` peers in a round, and the rounds of a period, at most 2 log_{k+1}(nodes) + 2, give
// the exact average whatever the number of nodes.
std::unique_ptr<LinkSequence> make_base_graph(NodeId nodes, int peers);

// The same W in every round.
std::unique_ptr<LinkSequence> make_fixed(MixingMatrix mixing);

// (I + W_t) / 2: the same links, and no eigenvalue below zero.
std::unique_ptr<LinkSequence> make_lazy(std::unique_ptr<LinkSequence> sequence);

constexpr bool is_lazy(Weights weights) {
  return weights == Weights::lazy_metropolis || weights == Weights::lazy_max_degree;
}

// Of a file; checked before memory is taken.
inline constexpr Round max_listed_rounds = 10'000'000;

// Reads a CSV file with the header round,a,b or round,a,b,weight and one link a line. Rounds count
// from 0 and ascend; one that is left out has no links, and after the last the sequence begins
// again. Blank lines and what follows '#' do not count. Without a column of weights the graph of
// each round is weighted by its own degrees; with one, `weights` does not matter. Without `nodes`
// there are as many nodes as the largest id says. Throws DataError with the file and the line.
// Whether the links of all rounds connect the nodes is for never_reached to say.
std::unique_ptr<LinkSequence> read_link_sequence(const std::filesystem::path& path,
                                                 std::optional<NodeId> nodes = {},
                                                 Weights weights = Weights::metropolis);

// Removes all rows and keeps their memory.
inline void clear_rows(WeightRows& rows) {
  rows.start.assign(1, 0);
  rows.nodes.clear();
  rows.weights.clear();
}

}  // namespace driftless
