#include "driftless/experiment/prepared_network.hpp"

#include <set>
#include <utility>

#include "driftless/base/error.hpp"
#include "driftless/graph/edge_list.hpp"
#include "driftless/graph/families.hpp"
#include "driftless/graph/matrix_market.hpp"
#include "driftless/graph/sequence_families.hpp"
#include "driftless/graph/weights.hpp"

namespace driftless {
namespace {

bool links_change(const NetworkConfig& network) {
  return network.names_sequence() || network.file.extension() == ".csv";
}

void check_nodes(const NetworkConfig& network, std::optional<NodeId> nodes,
                 const std::string& asked, NodeId found) {
  if (!nodes || *nodes == found) return;
  throw ConfigError("{}: has {} nodes, but {}; they must be the same", network.file.string(), found,
                    asked);
}

MixingMatrix fixed_mixing(const NetworkConfig& network, std::optional<NodeId> nodes,
                          const std::string& asked) {
  if (network.file.extension() == ".mtx") {
    MixingMatrix mixing = read_mixing_matrix(network.file);
    check_nodes(network, nodes, asked, mixing.nodes());
    return mixing;
  }
  const Weights weights = from_name<Weights>("weights", network.weights);
  if (!network.file.empty()) {
    const Graph graph = read_edge_list(network.file, nodes);
    check_nodes(network, nodes, asked, graph.nodes());
    return make_mixing(graph, weights);
  }
  return make_mixing(make_graph(network.topology_options(*nodes)), weights);
}

// The pairs of nodes that have a link in some round; of links that are drawn anew, all pairs.
class LinkedPairs {
 public:
  explicit LinkedPairs(const LinkSequence& links) : all_(links.period() == 0) {
    WeightRows rows;
    for (Round t = 0; t < links.period(); ++t) {
      links.links(t, rows);
      for (NodeId i = 0; i < rows.size(); ++i) {
        for (const NodeId j : rows.row(i).nodes) pairs_.emplace(i, j);
      }
    }
  }
  bool operator()(NodeId a, NodeId b) const { return all_ || pairs_.contains({a, b}); }

 private:
  bool all_;
  std::set<std::pair<NodeId, NodeId>> pairs_;
};

}  // namespace

std::shared_ptr<const LinkSequence> links_of(const NetworkConfig& network,
                                             std::optional<NodeId> nodes,
                                             const std::string& asked) {
  if (!links_change(network)) return make_fixed(fixed_mixing(network, nodes, asked));
  if (network.names_sequence()) return make_sequence(network.sequence_options(*nodes));
  std::shared_ptr<const LinkSequence> listed =
      read_link_sequence(network.file, nodes, from_name<Weights>("weights", network.weights));
  check_nodes(network, nodes, asked, listed->nodes());
  return listed;
}

PreparedNetwork prepare_network(const NetworkConfig& network, std::optional<NodeId> nodes,
                                const std::string& asked) {
  PreparedNetwork prepared;
  if (links_change(network)) {
    prepared.sequence = links_of(network, nodes, asked);
    prepared.period = period_mixing(*prepared.sequence);
  } else {
    prepared.mixing = fixed_mixing(network, nodes, asked);
    prepared.spectrum = spectrum(*prepared.mixing);
    prepared.period.p = prepared.spectrum->p;
  }
  return prepared;
}

Trace trace_of(const FaultOptions& faults, const LinkSequence& links) {
  if (faults.trace.empty()) return {};
  Trace trace = read_trace(faults.trace, links.nodes());
  const LinkedPairs linked(links);
  check_trace_links(trace, faults.trace.string(), linked);
  return trace;
}

}  // namespace driftless
