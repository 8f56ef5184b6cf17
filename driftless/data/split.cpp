#include "driftless/data/split.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <queue>
#include <vector>

#include "driftless/base/error.hpp"
#include "driftless/base/random.hpp"
#include "driftless/base/text.hpp"
#include "driftless/data/dirichlet.hpp"

namespace driftless {

namespace {

constexpr std::array<SplitEntry, 4> table = {{
    {Split::random, "random", "a random order dealt in equal parts"},
    {Split::sorted, "sorted", "every node has its own classes"},
    {Split::dirichlet, "dirichlet", "each class in random proportions, drawn from Dir(alpha)"},
    {Split::shards, "shards", "a few random pieces of the samples in order of their classes"},
}};

// What the numbers of a split are for; each is a step of the draw.
enum Use : Step { order_of_all, order_of_shards, order_of_class, shares_of_class };

using Samples = std::span<const SampleId>;

template <class T>
void shuffle(std::vector<T>& items, const Draw& draw) {
  for (std::size_t left = items.size(); left > 1; --left) {
    const auto bound = static_cast<std::uint32_t>(left);
    std::swap(items[left - 1], items[uniform_below(bound, draw, Purpose::split, left)]);
  }
}

// Part k of `parts`; sizes differ by at most one.
Samples part(Samples samples, std::int64_t k, std::int64_t parts) {
  const std::int64_t count = std::ssize(samples);
  const std::int64_t begin = k * count / parts;
  return samples.subspan(begin, (k + 1) * count / parts - begin);
}

void append(std::vector<SampleId>& to, Samples from) {
  to.insert(to.end(), from.begin(), from.end());
}

// The samples of each class that occurs.
std::vector<std::vector<SampleId>> by_class(const Dataset& data) {
  std::vector<std::vector<SampleId>> classes(static_cast<std::size_t>(data.classes()));
  for (SampleId s = 0; s < data.samples(); ++s) classes[data.labels[s]].push_back(s);
  std::erase_if(classes, [](const auto& samples) { return samples.empty(); });
  return classes;
}

std::vector<SampleId> in_order_of_class(const Dataset& data) {
  std::vector<SampleId> all;
  for (const auto& samples : by_class(data)) append(all, samples);
  return all;
}

Partition deal(Samples samples, NodeId nodes) {
  Partition partition;
  for (NodeId i = 0; i < nodes; ++i) {
    const Samples mine = part(samples, i, nodes);
    partition.emplace_back(mine.begin(), mine.end());
  }
  return partition;
}

Partition split_randomly(const Dataset& data, NodeId nodes, const SplitOptions& options) {
  std::vector<SampleId> order(static_cast<std::size_t>(data.samples()));
  std::iota(order.begin(), order.end(), 0);
  shuffle(order, {.seed = options.seed, .step = order_of_all});
  return deal(order, nodes);
}

Partition split_sorted(const Dataset& data, NodeId nodes) {
  const auto classes = by_class(data);
  const auto count = static_cast<NodeId>(classes.size());
  Partition partition(static_cast<std::size_t>(nodes));
  if (count % nodes == 0) {
    for (NodeId k = 0; k < count; ++k) append(partition[k / (count / nodes)], classes[k]);
    return partition;
  }
  const NodeId nodes_a_class = nodes / count;
  const bool enough = std::ranges::all_of(
      classes, [&](const auto& samples) { return std::ssize(samples) >= nodes_a_class; });
  if (nodes % count == 0 && enough) {
    for (NodeId i = 0; i < nodes; ++i) {
      append(partition[i], part(classes[i / nodes_a_class], i % nodes_a_class, nodes_a_class));
    }
    return partition;
  }
  return deal(in_order_of_class(data), nodes);
}

Partition split_into_shards(const Dataset& data, NodeId nodes, const SplitOptions& options) {
  const std::int64_t shards = std::int64_t{nodes} * options.shards;
  if (options.shards < 1 || shards > data.samples()) {
    throw ConfigError(fmt::format("{} shards for each of {} nodes, expected 1 to {}: {} samples",
                                  options.shards, nodes, data.samples() / nodes, data.samples()));
  }
  const std::vector<SampleId> sorted = in_order_of_class(data);
  std::vector<std::int64_t> order(static_cast<std::size_t>(shards));
  std::iota(order.begin(), order.end(), 0);
  shuffle(order, {.seed = options.seed, .step = order_of_shards});
  Partition partition(static_cast<std::size_t>(nodes));
  for (std::int64_t k = 0; k < shards; ++k) {
    append(partition[k / options.shards], part(sorted, order[k], shards));
  }
  return partition;
}

// Each empty node takes one sample of the node that then has the most, the first of equals.
void leave_nobody_empty(Partition& partition) {
  const auto has_less = [&](std::size_t a, std::size_t b) {
    const auto x = partition[a].size();
    const auto y = partition[b].size();
    return x != y ? x < y : a > b;
  };
  std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(has_less)> most(has_less);
  for (std::size_t i = 0; i < partition.size(); ++i) {
    if (!partition[i].empty()) most.push(i);
  }
  for (auto& samples : partition) {
    if (!samples.empty()) continue;
    const std::size_t giver = most.top();
    most.pop();
    samples.push_back(partition[giver].back());
    partition[giver].pop_back();
    most.push(giver);
  }
}

Partition split_by_dirichlet(const Dataset& data, NodeId nodes, const SplitOptions& options) {
  Partition partition(static_cast<std::size_t>(nodes));
  auto classes = by_class(data);
  for (std::size_t k = 0; k < classes.size(); ++k) {
    std::vector<SampleId>& samples = classes[k];
    const auto draw = [&](Use use) {
      return Draw{.seed = options.seed, .round = static_cast<Round>(k), .step = use};
    };
    shuffle(samples, draw(order_of_class));
    const auto share = dirichlet(options.alpha, nodes, draw(shares_of_class));
    double sum = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < share.size(); ++i) {
      sum += share[i];
      const auto reached =
          static_cast<std::size_t>(std::round(sum * static_cast<double>(samples.size())));
      const std::size_t end =
          i + 1 == share.size() ? samples.size() : std::clamp(reached, begin, samples.size());
      append(partition[i], Samples(samples).subspan(begin, end - begin));
      begin = end;
    }
  }
  leave_nobody_empty(partition);
  return partition;
}

Partition split_as_asked(const Dataset& data, NodeId nodes, const SplitOptions& options) {
  switch (options.split) {
    case Split::random:
      return split_randomly(data, nodes, options);
    case Split::sorted:
      return split_sorted(data, nodes);
    case Split::dirichlet:
      return split_by_dirichlet(data, nodes, options);
    case Split::shards:
      return split_into_shards(data, nodes, options);
  }
  return {};
}

}  // namespace

std::span<const SplitEntry> split_table() { return table; }

std::string_view split_name(Split split) {
  return std::ranges::find(table, split, &SplitEntry::split)->name;
}

Split split_from_name(std::string_view name) {
  const auto* const found = std::ranges::find(table, name, &SplitEntry::name);
  if (found != table.end()) return found->split;
  std::array<std::string_view, table.size()> names;
  std::ranges::transform(table, names.begin(), &SplitEntry::name);
  throw ConfigError(fmt::format("unknown split \"{}\"{}; there are {}", name,
                                did_you_mean(nearest_names(name, names)), fmt::join(names, ", ")));
}

Partition make_split(const Dataset& data, NodeId nodes, const SplitOptions& options) {
  if (nodes < 1 || nodes > data.samples()) {
    throw ConfigError(
        fmt::format("{} nodes, expected 1 to {}, since each has at least one of the {} samples",
                    nodes, data.samples(), data.samples()));
  }
  Partition partition = split_as_asked(data, nodes, options);
  for (auto& samples : partition) std::ranges::sort(samples);
  return partition;
}

}  // namespace driftless
