#include "driftless/network/round_time.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "driftless/base/hosting.hpp"

namespace driftless {

RoundTime round_time(const MixingMatrix& mixing, Step local_steps,
                     const RoundTimeOptions& options) {
  const Hosting hosting{mixing.nodes(), options.machines};
  std::vector<Bytes> sent(static_cast<std::size_t>(options.machines));
  std::vector<Bytes> received(static_cast<std::size_t>(options.machines));
  std::set<std::pair<NodeId, int>> travelled;  // a node's message, and where it went
  for (NodeId i = 0; i < mixing.nodes(); ++i) {
    const int to = hosting.host_of(i);
    for (const NodeId j : mixing.row(i).nodes) {
      const int from = hosting.host_of(j);
      if (from == to || !travelled.emplace(j, to).second) continue;
      sent[static_cast<std::size_t>(from)] += options.message;
      received[static_cast<std::size_t>(to)] += options.message;
    }
  }
  RoundTime slowest;
  for (int m = 0; m < options.machines; ++m) {
    const auto at = static_cast<std::size_t>(m);
    const Bytes most = std::max(sent[at], received[at]);
    const RoundTime here{
        .local = hosting.of(m).size() * static_cast<double>(local_steps) * options.step,
        .exchange =
            most > 0 ? options.latency + static_cast<double>(most) / options.bandwidth : 0.0};
    if (m == 0 || here.seconds() > slowest.seconds()) slowest = here;
  }
  return slowest;
}

}  // namespace driftless
