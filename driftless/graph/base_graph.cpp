#include <algorithm>
#include <map>
#include <utility>
#include <variant>
#include <vector>

#include "driftless/graph/link_sequence.hpp"

// How k peers a node average n nodes exactly.
//
// (a) If n = n_1 · … · n_L with every n_l ≤ k + 1: the ids have L digits, to the bases n_l, and in
// round l the nodes that differ in digit l alone average. This is the hyper-hypercube.
//
// (b) Any n is Σ a_l (k + 1)^{p_l} with p_1 > p_2 > … and a_l ≤ k. V_l is a_l blocks of
// (k + 1)^{p_l} nodes. Every block averages within itself by (a). Then, for l = 1, 2, …, all nodes
// behind V_l, R of them, meet V_l: each meets one node of every block of V_l, no two the same one,
// as R < (k + 1)^{p_l}. The weight |V_l| / (a_l (|V_l| + R)) makes the mean behind V_l, and
// therefore that of V_l, the mean of both. Blocks behind V_l stay averaged, so they go on with
// V_{l+1} while V_l averages by (a).
//
// (c) If n = p q and (a) can do p: the p stretches of q nodes average by (b), then the q
// sets of p nodes by (a). Whichever of (b) and (c) takes fewer rounds is chosen.

namespace driftless {
namespace {

// Of `count` nodes from `first`, those whose distances are multiples of `stride`, `size` of them,
// average.
struct Cliques {
  NodeId first = 0;
  NodeId count = 0;
  NodeId stride = 1;
  NodeId size = 1;
};

// `blocks` blocks of `block` nodes from `first`; `rest` nodes behind them meet them.
struct Meeting {
  NodeId first = 0;
  NodeId blocks = 0;
  NodeId block = 0;
  NodeId rest = 0;
};

// Who is in no part of a round is idle. Parts do not overlap and ascend.
using PartOfRound = std::variant<Cliques, Meeting>;
using PartsOfRound = std::vector<PartOfRound>;

struct BaseRound {
  NodeId span = 1;  // the parts come again every so many nodes
  PartsOfRound parts{};
};

// ---- The rounds ------------------------------------------------------------------------------

std::vector<NodeId> divisors_of(NodeId n) {
  std::vector<NodeId> divisors;
  for (NodeId divisor = 1; divisor <= n / divisor; ++divisor) {
    if (n % divisor != 0) continue;
    divisors.push_back(divisor);
    if (divisor != n / divisor) divisors.push_back(n / divisor);
  }
  std::ranges::sort(divisors);
  return divisors;
}

// n without its prime factors up to `most`.
NodeId without_small_factors(NodeId n, NodeId most) {
  for (NodeId factor = 2; factor <= std::min(n, most); ++factor) {
    while (n % factor == 0) n /= factor;
  }
  return n;
}

// The fewest factors of n that are at most `most`; no prime factor of n may exceed it. To take the
// largest first would not do: 216 is 6 · 6 · 6, but 8 · 3 · 3 · 3 if 8 is taken.
std::vector<NodeId> fewest_factors(NodeId n, NodeId most) {
  struct Best {
    int factors = 0;
    NodeId one = 1;  // of them
  };
  const std::vector<NodeId> divisors = divisors_of(n);
  std::map<NodeId, Best> best{{1, {}}};
  for (const NodeId product : divisors) {
    for (const NodeId factor : divisors) {
      if (factor == 1 || product % factor != 0) continue;
      if (factor > most) break;
      const int factors = best[product / factor].factors + 1;
      Best& found = best[product];
      if (found.factors == 0 || factors <= found.factors) found = {factors, factor};
    }
  }
  std::vector<NodeId> factors;
  for (; n > 1; n /= factors.back()) factors.push_back(best[n].one);
  return factors;
}

PartsOfRound& parts_of(std::vector<BaseRound>& rounds, std::size_t round, NodeId span) {
  while (rounds.size() <= round) rounds.push_back({.span = span});
  return rounds[round].parts;
}

// (b) The bases of digits are `base`.
std::vector<BaseRound> by_digits(NodeId nodes, NodeId base) {
  NodeId block = 1;
  std::size_t powers = 0;
  for (; block <= nodes / base; block *= base) ++powers;
  std::vector<Meeting> meetings;
  for (NodeId first = 0; first < nodes; block /= base) {
    const NodeId blocks = (nodes - first) / block;
    if (blocks == 0) continue;
    meetings.push_back({first, blocks, block, (nodes - first) % block});
    first += blocks * block;
  }

  std::vector<BaseRound> rounds;
  for (const Meeting& each : meetings) {
    std::size_t round = 0;
    for (NodeId stride = 1; stride < each.block; stride *= base, ++round) {
      parts_of(rounds, round, nodes)
          .push_back(Cliques{each.first, each.blocks * each.block, stride, base});
    }
  }
  for (std::size_t l = 0; l < meetings.size(); ++l) {
    const auto [first, blocks, size, rest] = meetings[l];
    std::size_t round = powers + l;
    if (rest == 0) {  // nobody is left to meet; the blocks are averaged within
      if (blocks > 1) {
        parts_of(rounds, round, nodes).push_back(Cliques{first, blocks * size, size, blocks});
      }
      continue;
    }
    parts_of(rounds, round, nodes).push_back(meetings[l]);
    NodeId stride = 1;
    for (const NodeId factor : fewest_factors(blocks * size, base)) {
      parts_of(rounds, ++round, nodes).push_back(Cliques{first, blocks * size, stride, factor});
      stride *= factor;
    }
  }
  return rounds;
}

// (c), and with it (a).
std::vector<BaseRound> by_factors(NodeId nodes, NodeId base) {
  NodeId stride = without_small_factors(nodes, base);
  std::vector<BaseRound> rounds = by_digits(stride, base);
  for (const NodeId factor : fewest_factors(nodes / stride, base)) {
    rounds.push_back({.span = nodes, .parts = {Cliques{0, nodes, stride, factor}}});
    stride *= factor;
  }
  return rounds;
}

std::vector<BaseRound> base_rounds(NodeId nodes, NodeId base) {
  std::vector<BaseRound> rounds = by_factors(nodes, base);
  std::vector<BaseRound> others = by_digits(nodes, base);
  if (others.size() < rounds.size()) rounds = std::move(others);
  if (rounds.empty()) rounds.push_back({.span = nodes});  // a node alone
  return rounds;
}

// ---- The rows of a part, whose first node is moved by `shift` -----------------------------------

void add_rows(const Cliques& cliques, NodeId shift, WeightRows& out) {
  const auto [first, count, stride, size] = cliques;
  const double weight = 1.0 / size;
  for (NodeId offset = 0; offset < count; ++offset) {
    NodeId member = shift + first + offset - offset / stride % size * stride;
    for (NodeId k = 0; k < size; ++k, member += stride) out.add(member, weight);
    out.end_row();
  }
}

void add_rows(const Meeting& meeting, NodeId shift, WeightRows& out) {
  const auto [first, blocks, block, rest] = meeting;
  const double met = static_cast<double>(blocks) * block;
  const double weight = met / (blocks * (met + rest));
  const NodeId begin = shift + first;
  const NodeId rest_begin = begin + blocks * block;
  for (NodeId i = begin; i < rest_begin; ++i) {
    const NodeId place = (i - begin) % block;
    out.add(i, place < rest ? 1 - weight : 1);
    if (place < rest) out.add(rest_begin + place, weight);
    out.end_row();
  }
  for (NodeId place = 0; place < rest; ++place) {
    for (NodeId k = 0; k < blocks; ++k) out.add(begin + k * block + place, weight);
    out.add(rest_begin + place, rest / (met + rest));
    out.end_row();
  }
}

void add_idle_rows(NodeId end, WeightRows& out) {
  for (NodeId i = out.size(); i < end; ++i) {
    out.add(i, 1);
    out.end_row();
  }
}

NodeId peers_in(const Cliques& cliques) { return cliques.size - 1; }
NodeId peers_in(const Meeting& meeting) { return meeting.blocks; }

class BaseGraph : public LinkSequence {
 public:
  BaseGraph(NodeId nodes, NodeId base) : nodes_(nodes), rounds_(base_rounds(nodes, base)) {
    for (const BaseRound& round : rounds_) {
      for (const PartOfRound& part : round.parts) {
        const NodeId peers = std::visit([](const auto& some) { return peers_in(some); }, part);
        most_peers_ = std::max(most_peers_, peers);
      }
    }
  }

  NodeId nodes() const override { return nodes_; }
  Round period() const override { return std::ssize(rounds_); }
  NodeId most_peers() const override { return most_peers_; }

  void links(Round t, WeightRows& out) const override {
    clear_rows(out);
    const BaseRound& round = rounds_[static_cast<std::size_t>(t % period())];
    for (NodeId shift = 0; shift < nodes_; shift += round.span) {
      for (const PartOfRound& part : round.parts) {
        const auto add = [&](const auto& some) {
          add_idle_rows(shift + some.first, out);
          add_rows(some, shift, out);
        };
        std::visit(add, part);
      }
    }
    add_idle_rows(nodes_, out);
  }

 private:
  NodeId nodes_;
  std::vector<BaseRound> rounds_;
  NodeId most_peers_ = 0;
};

}  // namespace

std::unique_ptr<LinkSequence> make_base_graph(NodeId nodes, int peers) {
  return std::make_unique<BaseGraph>(nodes, std::min(peers, std::max(1, nodes - 1)) + 1);
}

}  // namespace driftless
