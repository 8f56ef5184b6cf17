#include "driftless/data/split.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <queue>
#include <span>
#include <vector>

#include "driftless/base/error.hpp"
#include "driftless/base/random.hpp"

namespace driftless {
namespace {

// An alpha beyond these makes the logarithms of proportions overflow.
constexpr double smallest_alpha = 1e-300;
constexpr double largest_alpha = 1e300;

double standard_normal(const Draw& draw, std::uint64_t index) {
  const double radius = std::sqrt(-2 * std::log(uniform(draw, Purpose::split, index)));
  return radius * std::cos(2 * std::numbers::pi * uniform(draw, Purpose::split, index + 1));
}

double log_gamma_variable(double alpha, const Draw& draw) {
  // Gamma(alpha) is Gamma(alpha + 1) times U^(1 / alpha), which also serves a small alpha.
  double log_factor = 0;
  if (alpha < 1) {
    log_factor = std::log(uniform(draw, Purpose::split, 0)) / alpha;
    alpha += 1;
  }
  const double d = alpha - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  for (std::uint64_t index = 1;; index += 3) {
    const double x = standard_normal(draw, index);
    const double root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    const double u = uniform(draw, Purpose::split, index + 2);
    if (std::log(u) < x * x / 2 + d * (1 - v + std::log(v))) {
      return std::log(d) + std::log(v) + log_factor;
    }
  }
}

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

// Where numbers are learnt, in their order.
std::vector<SampleId> in_order_of_class(const Dataset& data) {
  std::vector<SampleId> all;
  if (!data.targets.empty()) {
    all.resize(data.targets.size());
    std::iota(all.begin(), all.end(), 0);
    std::ranges::stable_sort(all, {}, [&](SampleId s) { return data.targets[s]; });
    return all;
  }
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
  if (!data.targets.empty()) return deal(in_order_of_class(data), nodes);
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
    throw ConfigError("{} shards for each of {} nodes, expected 1 to {}: {} samples",
                      options.shards, nodes, data.samples() / nodes, data.samples());
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
  if (!data.targets.empty()) {
    throw ConfigError("needs classes, but numbers are learnt; choose random, sorted or shards");
  }
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

std::vector<double> dirichlet(double alpha, NodeId count, const Draw& draw) {
  if (!(alpha >= smallest_alpha && alpha <= largest_alpha)) {
    throw ConfigError("alpha = {}: expected a number above 0, from {} to {}", alpha, smallest_alpha,
                      largest_alpha);
  }
  std::vector<double> shares;
  for (NodeId i = 0; i < count; ++i) {
    Draw mine = draw;
    mine.node = i;
    shares.push_back(log_gamma_variable(alpha, mine));
  }
  const double largest = *std::ranges::max_element(shares);
  for (double& share : shares) share = std::exp(share - largest);
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share /= sum;
  return shares;
}

Partition make_split(const Dataset& data, NodeId nodes, const SplitOptions& options) {
  if (nodes < 1 || nodes > data.samples()) {
    throw ConfigError("{} nodes, expected 1 to {}, since each has at least one of the {} samples",
                      nodes, data.samples(), data.samples());
  }
  Partition partition = split_as_asked(data, nodes, options);
  for (auto& samples : partition) std::ranges::sort(samples);
  return partition;
}

SplitCounts count_classes(const Dataset& data, const Partition& partition) {
  SplitCounts counts;
  for (const auto& samples : partition) {
    auto& node = counts.emplace_back(static_cast<std::size_t>(data.classes()));
    for (const SampleId sample : samples) ++node[data.labels[sample]];
  }
  return counts;
}

}  // namespace driftless
