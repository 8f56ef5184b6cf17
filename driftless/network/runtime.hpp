#pragma once

#include <memory>
#include <utility>

#include "driftless/base/processes.hpp"
#include "driftless/network/local_network.hpp"

namespace driftless {

// Where the nodes run: the processes, and the network between the nodes that they host. The class
// itself is one process, whose nodes share its threads.
class Runtime : public Processes {
 public:
  // Throws ConfigError when there are more processes than nodes.
  virtual std::unique_ptr<Network> network(const MixingMatrix& mixing) const {
    return std::make_unique<LocalNetwork>(mixing);
  }
  virtual std::unique_ptr<Network> network(Conditions conditions) const {
    return std::make_unique<LocalNetwork>(std::move(conditions));
  }
};

}  // namespace driftless
