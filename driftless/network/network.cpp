#include "driftless/network/network.hpp"

#include <algorithm>
#include <utility>

namespace driftless {

Network::Network(MixingMatrix mixing) : mixing_(std::move(mixing)), traffic_(mixing_) {}

double Network::mean(FunctionRef<double(NodeId)> of) const {
  double sum = 0;
  for (const double value : gather(of)) sum += value;
  return sum / nodes();
}

bool Network::any(bool here) const {
  if (hosts_all()) return here;
  const std::vector<double> said = gather([&](NodeId) { return here ? 1.0 : 0.0; });
  return std::ranges::max(said) > 0;
}

double Network::minimum(FunctionRef<double(NodeId)> of) const {
  return std::ranges::min(gather(of));
}

}  // namespace driftless
