#include "driftless/problem/node_samples.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace driftless::testing {
namespace {

Partition of_sizes(const std::vector<int>& sizes) {
  Partition partition;
  SampleId next = 0;
  for (const int size : sizes) {
    auto& samples = partition.emplace_back(static_cast<std::size_t>(size));
    std::iota(samples.begin(), samples.end(), next);
    next += size;
  }
  return partition;
}

Dataset labelled(std::vector<std::int32_t> labels, int classes) {
  Dataset data{.labels = std::move(labels)};
  for (int k = 0; k < classes; ++k) data.class_names.push_back(std::to_string(k));
  return data;
}

TEST(NodeSamples, HoldOutAShareOfEveryNodeAndNeverAll) {
  const Partition all = of_sizes({1, 2, 10, 37});
  NodeSamples samples(all);
  samples.hold_out(0.25, 3);
  const std::vector<std::size_t> expected{0, 1, 3, 9};  // 2.5 is rounded to 3
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(samples.held_out[i].size(), expected[i]);
    std::vector<SampleId> both = samples.own[i];
    both.insert(both.end(), samples.held_out[i].begin(), samples.held_out[i].end());
    EXPECT_TRUE(std::ranges::is_sorted(samples.own[i]));
    std::ranges::sort(both);
    EXPECT_EQ(both, all[i]) << "every sample is either trained on or held out";
  }
}

TEST(NodeSamples, HoldOutOneAtLeastAndLeaveOneAtLeast) {
  for (const double share : {0.001, 0.9}) {
    NodeSamples samples(of_sizes({1, 2, 4}));
    samples.hold_out(share, 3);
    EXPECT_EQ(samples.own[0].size(), 1);
    EXPECT_EQ(samples.held_out[1].size(), 1);
    EXPECT_EQ(samples.held_out[2].size(), share < 0.5 ? 1 : 3);
  }
}

TEST(NodeSamples, HoldOutByTheSeedAndTheNodeAlone) {
  NodeSamples all(of_sizes({30, 30, 30}));
  all.hold_out(0.5, 3);
  std::vector<SampleId> second = all.held_out[1];
  for (SampleId& sample : second) sample -= 30;
  EXPECT_NE(second, all.held_out[0]) << "nodes hold out samples at different places";
  NodeSamples last({2, 3}, {of_sizes({30, 30, 30})[2]});
  last.hold_out(0.5, 3);
  EXPECT_EQ(last.held_out[0], all.held_out[2]) << "on a process that hosts the last node alone";
  NodeSamples other(of_sizes({30, 30, 30}));
  other.hold_out(0.5, 4);
  EXPECT_NE(other.held_out, all.held_out);
}

TEST(NodeSamples, WeighOneOnAverage) {
  NodeSamples samples(of_sizes({5, 20, 25}));
  samples.weigh_by_samples();
  EXPECT_EQ(samples.weights, (std::vector<double>{0.3, 1.2, 1.5}));
}

TEST(NodeSamples, MeasureTheSpreadOfNumbersAroundTheMeanOfAll) {
  Dataset test;
  test.targets = {1, 2, 6, 7};
  NodeSamples common(of_sizes({2, 2}));
  common.measure_targets(Processes(), test);
  EXPECT_EQ(common.target_spread, 9 + 4 + 4 + 9);
  NodeSamples own(of_sizes({2, 2}));
  own.tests = {{0, 1}, {2, 3}};
  own.measure_targets(Processes(), test);
  EXPECT_EQ(own.target_spread, common.target_spread);
  test.targets = {3, 3};
  NodeSamples same(of_sizes({2, 2}));
  same.measure_targets(Processes(), test);
  EXPECT_FALSE(same.target_spread);
}

TEST(NodeSamples, AreToldUpToAHundredNodesAndClasses) {
  const auto told = [](const Dataset& data, Partition partition) {
    const auto nodes = static_cast<NodeId>(partition.size());
    NodeSamples samples({0, nodes}, std::move(partition));
    samples.exchange(Processes(), data);
    return samples.told;
  };
  const auto two = told(labelled({0, 2, 0}, 3), {{0, 1}, {2}});
  ASSERT_TRUE(two.has_value());
  EXPECT_EQ(two->class_names, (std::vector<std::string>{"0", "1", "2"}));
  EXPECT_EQ(two->counts, (SplitCounts{{1, 0, 1}, {1, 0, 0}}));
  EXPECT_TRUE(told(labelled({0}, 100), {{0}}).has_value());
  EXPECT_FALSE(told(labelled({0}, 101), {{0}}).has_value());
  EXPECT_TRUE(told(labelled({0}, 1), Partition(100)).has_value());
  EXPECT_FALSE(told(labelled({0}, 1), Partition(101)).has_value());
}

}  // namespace
}  // namespace driftless::testing
