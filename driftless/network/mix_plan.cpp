#include "driftless/network/mix_plan.hpp"

#include <algorithm>
#include <numeric>

namespace driftless {

MixPlan::MixPlan(const WeightRows& links) {
  const auto n = static_cast<std::size_t>(links.size());

  // W is symmetric with a full diagonal: the rows that read row j are the entries of row j.
  const auto last_reader = [&](NodeId j) { return links.row(j).nodes.back(); };
  settled.resize(n);
  std::iota(settled.begin(), settled.end(), NodeId{0});
  std::ranges::stable_sort(settled, {}, last_reader);
  settled_end.assign(n, 0);
  for (const NodeId j : settled) {
    ++settled_end[static_cast<std::size_t>(last_reader(j))];
    most_sources = std::max(most_sources, std::ssize(links.row(j).nodes));
  }
  std::partial_sum(settled_end.begin(), settled_end.end(), settled_end.begin());

  slot.resize(n);
  std::vector<Index> free;
  Index moved = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (free.empty()) free.push_back(slots++);
    slot[i] = free.back();
    free.pop_back();
    for (; moved < settled_end[i]; ++moved) {
      free.push_back(slot[static_cast<std::size_t>(settled[static_cast<std::size_t>(moved)])]);
    }
  }
}

}  // namespace driftless
