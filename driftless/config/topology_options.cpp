#include "driftless/config/topology_options.hpp"

namespace driftless {

TopologyOptions topology_options(const NetworkConfig& network, NodeId nodes) {
  return {.family = network.topology,
          .nodes = nodes,
          .rows = network.rows,
          .columns = network.columns,
          .edge_probability = network.edge_probability,
          .degree = network.degree,
          .radius = network.radius,
          .seed = network.seed};
}

}  // namespace driftless
