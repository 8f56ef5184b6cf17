#pragma once

#include "driftless/config/config.hpp"
#include "driftless/graph/families.hpp"

namespace driftless {

// The graph that [network] asks for, on this many nodes.
TopologyOptions topology_options(const NetworkConfig& network, NodeId nodes);

}  // namespace driftless
