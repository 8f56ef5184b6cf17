#include "driftless/network/mix_plan.hpp"

#include <algorithm>
#include <numeric>

namespace driftless {
namespace {

// The nodes, sorted by the number of each and then by id.
std::vector<NodeId> sorted_by(const std::vector<NodeId>& number) {
  std::vector<std::size_t> next(number.size() + 1);
  for (const NodeId k : number) ++next[k + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<NodeId> sorted(number.size());
  for (std::size_t i = 0; i < number.size(); ++i) {
    sorted[next[number[i]]++] = static_cast<NodeId>(i);
  }
  return sorted;
}

// Of each node the least of those that links connect it to.
std::vector<NodeId> groups(const WeightRows& links) {
  std::vector<NodeId> parent(static_cast<std::size_t>(links.size()));
  std::iota(parent.begin(), parent.end(), NodeId{0});
  const auto least_of = [&](NodeId i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  for (NodeId i = 0; i < links.size(); ++i) {
    for (const NodeId j : links.row(i).nodes) {
      if (j >= i) break;
      const NodeId one = least_of(i);
      const NodeId other = least_of(j);
      parent[std::max(one, other)] = std::min(one, other);
    }
  }
  for (NodeId i = 0; i < links.size(); ++i) parent[i] = least_of(i);
  return parent;
}

}  // namespace

MixPlan::MixPlan(const WeightRows& links) : order(sorted_by(groups(links))) {
  const auto n = static_cast<std::size_t>(links.size());
  std::vector<NodeId> place(n);  // in the order
  for (std::size_t k = 0; k < n; ++k) place[order[k]] = static_cast<NodeId>(k);

  // W is symmetric with a full diagonal: the rows that read row j are the entries of row j, and
  // ascend in the order as they do by id.
  std::vector<NodeId> last_reader(n);
  settled_end.assign(n, 0);
  for (std::size_t j = 0; j < n; ++j) {
    const auto sources = links.row(static_cast<NodeId>(j)).nodes;
    most_sources = std::max(most_sources, std::ssize(sources));
    last_reader[j] = place[sources.back()];
    ++settled_end[last_reader[j]];
  }
  settled = sorted_by(last_reader);
  std::partial_sum(settled_end.begin(), settled_end.end(), settled_end.begin());

  slot.resize(n);
  std::vector<Index> free;
  Index moved = 0;
  for (std::size_t k = 0; k < n; ++k) {
    if (free.empty()) free.push_back(slots++);
    slot[order[k]] = free.back();
    free.pop_back();
    for (; moved < settled_end[k]; ++moved) free.push_back(slot[settled[moved]]);
  }
}

}  // namespace driftless
