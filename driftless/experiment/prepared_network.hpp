#pragma once

#include <memory>
#include <optional>
#include <string>

#include "driftless/config/config.hpp"
#include "driftless/graph/sequence_mixing.hpp"
#include "driftless/graph/spectrum.hpp"

namespace driftless {

// The links of every round as a config asks for them, and how fast they mix.
struct PreparedNetwork {
  // W and its spectrum, where links are the same in every round; else both are empty.
  std::optional<MixingMatrix> mixing;
  std::optional<Spectrum> spectrum;
  std::shared_ptr<const LinkSequence> sequence;  // of links that change; else null
  PeriodMixing period;

  NodeId nodes() const { return mixing ? mixing->nodes() : sequence->nodes(); }
  std::shared_ptr<const LinkSequence> links() const {
    return mixing ? make_fixed(*mixing) : sequence;
  }
};

// `nodes` is what the config or the problem file asks for, and `asked` says so. Throws InputError
// for a file that cannot be read or that has another number of nodes.
PreparedNetwork prepare_network(const NetworkConfig& network, std::optional<NodeId> nodes,
                                const std::string& asked);

// Its links alone.
std::shared_ptr<const LinkSequence> links_of(const NetworkConfig& network,
                                             std::optional<NodeId> nodes, const std::string& asked);

// The events of faults.trace, checked against the links; none where no trace is given.
Trace trace_of(const FaultOptions& faults, const LinkSequence& links);

}  // namespace driftless
