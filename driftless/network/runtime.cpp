#include "driftless/network/runtime.hpp"

#include <utility>

#include "driftless/network/local_network.hpp"

namespace driftless {

std::unique_ptr<Network> Runtime::network(MixingMatrix mixing) const {
  return std::make_unique<LocalNetwork>(std::move(mixing));
}

}  // namespace driftless
