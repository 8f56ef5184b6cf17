#include "driftless/network/network.hpp"

#include <algorithm>
#include <utility>

#include "driftless/base/parallel.hpp"

namespace driftless {

Network::Network(MixingMatrix mixing) : mixing_(std::move(mixing)), traffic_(mixing_) {}

void Network::for_each_node(FunctionRef<void(NodeId)> work) const {
  const NodeRange mine = hosted();
  parallel(mine.size(), [&](Index k) { work(mine.first + static_cast<NodeId>(k)); });
}

std::vector<double> Network::gather(FunctionRef<double(NodeId)> of) const {
  const NodeRange mine = hosted();
  std::vector<double> own(static_cast<std::size_t>(mine.size()));
  for_each_node([&](NodeId i) { own[static_cast<std::size_t>(i - mine.first)] = of(i); });
  return hosts_all() ? own : gather_numbers(std::move(own));
}

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

}  // namespace driftless
