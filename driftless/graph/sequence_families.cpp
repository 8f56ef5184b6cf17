#include "driftless/graph/sequence_families.hpp"

#include <algorithm>
#include <utility>

#include "driftless/base/named.hpp"

namespace driftless {
namespace {

void resolve_base_graph(SequenceOptions& options) {
  if (!options.peers) options.peers = 1;
  const int most = std::max(1, options.nodes - 1);
  if (*options.peers < 1 || *options.peers > most) {
    throw ConfigError("sequence base_graph: found peers {}, expected 1 to {} ({} nodes)",
                      *options.peers, most, options.nodes);
  }
  const double links = 0.5 * options.nodes * *options.peers;
  if (links > static_cast<double>(max_edges)) {
    throw ConfigError(
        "sequence base_graph of {} nodes has up to {:.3g} links a round: expected at most {}; "
        "choose fewer nodes or peers",
        options.nodes, links, max_edges);
  }
}

const SequenceFamily& named_sequence(const SequenceOptions& options) {
  return find_named(sequence_families(), "sequence", options.family);
}

}  // namespace

std::span<const SequenceFamily> sequence_families() {
  static const std::vector<SequenceFamily> table = {
      {"one_peer_exponential",
       "in round t the node whose id differs in bit t, one bit after another",
       [](const SequenceOptions& options) { return make_one_peer_exponential(options.nodes); }},
      {"random_matching",
       "every round pairs drawn at random; an odd node is idle",
       [](const SequenceOptions& options) {
         return make_random_matching(options.nodes, options.seed);
       },
       [](SequenceOptions&) {},
       {},
       true},
      {"base_graph",
       "at most `peers` (default 1) a round; a period gives the exact average of any number of "
       "nodes",
       [](const SequenceOptions& options) {
         return make_base_graph(options.nodes, *options.peers);
       },
       resolve_base_graph,
       {"peers"}},
  };
  return table;
}

SequenceOptions resolve_sequence(SequenceOptions options) {
  const SequenceFamily& family = named_sequence(options);
  if (options.nodes < 1 || options.nodes > max_nodes) {
    throw ConfigError("sequence {}: found {} nodes, expected 1 to {}", options.family,
                      options.nodes, max_nodes);
  }
  if (options.peers && std::ranges::count(family.parameters, "peers") == 0) {
    throw ConfigError("sequence {} takes no peers; base_graph does", options.family);
  }
  family.resolve(options);
  return options;
}

std::unique_ptr<LinkSequence> make_sequence(const SequenceOptions& options) {
  const SequenceOptions resolved = resolve_sequence(options);
  std::unique_ptr<LinkSequence> sequence = named_sequence(resolved).make(resolved);
  return resolved.lazy ? make_lazy(std::move(sequence)) : std::move(sequence);
}

}  // namespace driftless
