#include "driftless/problem/node_samples.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "driftless/data/shuffled_order.hpp"

namespace driftless {

NodeSamples::NodeSamples(Partition partition)
    : hosted{0, static_cast<NodeId>(partition.size())}, own(std::move(partition)) {
  for (const auto& samples : own) counts.push_back(std::ssize(samples));
}

void NodeSamples::hold_out(double share, std::uint64_t seed) {
  for (NodeId i = hosted.first; i < hosted.last; ++i) {
    auto& mine = own[static_cast<std::size_t>(i - hosted.first)];
    const auto count = static_cast<std::uint32_t>(mine.size());
    const auto wanted = static_cast<std::uint32_t>(std::lround(share * count));
    const std::uint32_t taken = count < 2 ? 0 : std::clamp<std::uint32_t>(wanted, 1, count - 1);
    const ShuffledOrder order(count, {.seed = seed, .node = i}, Purpose::validation);
    std::vector<bool> is_taken(count);
    for (std::uint32_t k = 0; k < taken; ++k) is_taken[order[k]] = true;
    auto& out = held_out.emplace_back();
    std::vector<SampleId> left;
    for (std::uint32_t k = 0; k < count; ++k) (is_taken[k] ? out : left).push_back(mine[k]);
    mine = std::move(left);
  }
}

void NodeSamples::exchange(const Processes& processes, const Dataset& train) {
  std::vector<std::int64_t> sizes;
  for (const auto& samples : own) sizes.push_back(std::ssize(samples));
  counts = processes.gather_numbers(sizes);
  const std::size_t classes = train.class_names.size();
  if (classes == 0 || std::max(counts.size(), classes) > most_told) return;
  std::vector<std::int64_t> flat;
  for (const auto& of_node : count_classes(train, own)) {
    flat.insert(flat.end(), of_node.begin(), of_node.end());
  }
  flat = processes.gather_numbers(flat);
  told = ToldSplit{.class_names = train.class_names, .counts = {}};
  for (auto begin = flat.begin(); begin != flat.end(); begin += std::ssize(train.class_names)) {
    told->counts.emplace_back(begin, begin + std::ssize(train.class_names));
  }
}

void NodeSamples::measure_targets(const Processes& processes, const Dataset& test) {
  if (test.targets.empty()) return;
  // Samples that all processes have are counted once.
  const Partition groups = tests.empty() ? Partition{every_sample(test)} : tests;
  const auto sum = [&](const auto& of) {
    std::vector<double> own;
    for (const auto& group : groups) {
      double total = 0;
      for (const SampleId sample : group)
        total += of(test.targets[static_cast<std::size_t>(sample)]);
      own.push_back(total);
    }
    const std::vector<double> all = tests.empty() ? own : processes.gather_doubles(own);
    return std::accumulate(all.begin(), all.end(), 0.0);
  };
  const double count = sum([](double) { return 1.0; });
  const double mean = sum([](double y) { return y; }) / count;
  const double spread = sum([&](double y) { return (y - mean) * (y - mean); });
  if (spread > 0) target_spread = spread;
}

void NodeSamples::weigh_by_samples() {
  const auto all = static_cast<double>(std::reduce(counts.begin(), counts.end()));
  for (const std::int64_t count : counts) {
    weights.push_back(static_cast<double>(counts.size()) * static_cast<double>(count) / all);
  }
}

}  // namespace driftless
