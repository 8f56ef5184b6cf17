#include "driftless/data/split.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "driftless/base/error.hpp"

namespace driftless {
namespace {

// No inputs: a split looks at labels alone.
Dataset labelled(std::vector<std::int32_t> labels, int classes) {
  Dataset data{.labels = std::move(labels)};
  for (int k = 0; k < classes; ++k) data.class_names.push_back(std::to_string(k));
  return data;
}

// Sample s has the class s mod `classes`, but the last class has only one sample.
Dataset uneven(SampleId samples, int classes) {
  std::vector<std::int32_t> labels(static_cast<std::size_t>(samples));
  for (SampleId s = 0; s < samples; ++s) labels[s] = s % (classes - 1);
  labels.back() = classes - 1;
  return labelled(std::move(labels), classes);
}

std::vector<SampleId> all_of(const Partition& partition) {
  std::vector<SampleId> all;
  for (const auto& samples : partition) all.insert(all.end(), samples.begin(), samples.end());
  std::ranges::sort(all);
  return all;
}

// The classes of each node.
std::vector<std::set<int>> classes_of(const Dataset& data, const Partition& partition) {
  std::vector<std::set<int>> classes;
  for (const auto& samples : partition) {
    auto& node = classes.emplace_back();
    for (const SampleId s : samples) node.insert(data.labels[s]);
  }
  return classes;
}

SplitOptions any_options() {
  const auto& table = values_of<Split>;
  return {.split = table[*rc::gen::inRange<std::size_t>(0, table.size())].value,
          .alpha = std::pow(10.0, *rc::gen::inRange(-4, 4)),
          .shards = *rc::gen::inRange(1, 4),
          .seed = *rc::gen::arbitrary<std::uint64_t>()};
}

RC_GTEST_PROP(SplitProperties, EverySampleIsOnOneNodeAndNoNodeIsEmpty, ()) {
  const int classes = *rc::gen::inRange(1, 8);
  const auto labels = *rc::gen::nonEmpty(
      rc::gen::container<std::vector<std::int32_t>>(rc::gen::inRange(0, classes)));
  const Dataset data = labelled(labels, classes);
  const NodeId nodes = *rc::gen::inRange(1, data.samples() + 1);
  SplitOptions options = any_options();
  options.shards = std::min(options.shards, data.samples() / nodes);
  const Partition partition = make_split(data, nodes, options);
  RC_ASSERT(std::ssize(partition) == nodes);
  const std::vector<SampleId> all = all_of(partition);
  RC_ASSERT(std::ssize(all) == data.samples());
  for (SampleId s = 0; s < data.samples(); ++s) RC_ASSERT(all[s] == s);
  for (const auto& samples : partition) {
    RC_ASSERT(!samples.empty());
    RC_ASSERT(std::ranges::is_sorted(samples));
  }
  RC_ASSERT(partition == make_split(data, nodes, options));
}

TEST(Split, TheSeedDecidesAllButSorted) {
  const Dataset data = uneven(500, 6);
  for (const auto& entry : values_of<Split>) {
    const auto with_seed = [&](std::uint64_t seed) {
      return make_split(data, 5, {.split = entry.value, .seed = seed});
    };
    EXPECT_EQ(with_seed(3), with_seed(3)) << entry.name;
    if (entry.value == Split::sorted) {
      EXPECT_EQ(with_seed(3), with_seed(4));
    } else {
      EXPECT_NE(with_seed(3), with_seed(4)) << entry.name;
      EXPECT_NE(with_seed(3), with_seed((std::uint64_t{1} << 40) + 3)) << entry.name;
    }
  }
}

TEST(Split, RandomDealsEqualPartsOfEveryClass) {
  std::vector<std::int32_t> labels(10007);
  for (std::size_t s = 0; s < labels.size(); ++s) labels[s] = s < 5000 ? 0 : 1;
  const Dataset data = labelled(labels, 2);
  const Partition partition = make_split(data, 10, {.split = Split::random});
  for (const auto& counts : count_classes(data, partition)) {
    EXPECT_TRUE(counts[0] + counts[1] == 1000 || counts[0] + counts[1] == 1001);
    EXPECT_NEAR(counts[0], 500, 5 * 16);  // five deviations of a draw of 1000 halves
  }
}

TEST(Split, SortedGivesWholeClassesWhereNodesDivideThem) {
  const Dataset data = uneven(1000, 10);
  const auto ten = classes_of(data, make_split(data, 10, {.split = Split::sorted}));
  const auto five = classes_of(data, make_split(data, 5, {.split = Split::sorted}));
  for (int i = 0; i < 10; ++i) EXPECT_EQ(ten[i], (std::set{i}));
  for (int i = 0; i < 5; ++i) EXPECT_EQ(five[i], (std::set{2 * i, 2 * i + 1}));
}

TEST(Split, SortedCutsClassesWhereTheyDivideTheNodes) {
  const Dataset data = labelled({0, 1, 0, 1, 0, 1, 0, 0, 0}, 2);
  EXPECT_EQ(make_split(data, 4, {.split = Split::sorted}),
            (Partition{{0, 2, 4}, {6, 7, 8}, {1}, {3, 5}}));
}

TEST(Split, SortedCutsEqualRangesOtherwise) {
  const Dataset data = labelled({1, 0, 1, 0, 1, 0, 0}, 2);
  EXPECT_EQ(make_split(data, 3, {.split = Split::sorted}), (Partition{{1, 3}, {5, 6}, {0, 2, 4}}));
  // Class 1 has one sample and would have two nodes.
  const Dataset few = labelled({0, 0, 0, 1}, 2);
  EXPECT_EQ(make_split(few, 4, {.split = Split::sorted}), (Partition{{0}, {1}, {2}, {3}}));
}

TEST(Split, SortedCountsOnlyClassesThatOccur) {
  const Dataset data = labelled({1, 1, 3, 3}, 5);
  EXPECT_EQ(make_split(data, 2, {.split = Split::sorted}), (Partition{{0, 1}, {2, 3}}));
}

TEST(Split, ShardsArePiecesOfTheSortedSamples) {
  std::vector<std::int32_t> labels(240);
  for (int s = 0; s < 240; ++s) labels[s] = s % 12;
  const Dataset data = labelled(labels, 12);
  // 12 shards of 20 are the 12 classes.
  const Partition partition = make_split(data, 4, {.split = Split::shards, .shards = 3});
  std::set<int> dealt;
  for (const auto& classes : classes_of(data, partition)) {
    EXPECT_EQ(classes.size(), 3U);
    dealt.insert(classes.begin(), classes.end());
  }
  EXPECT_EQ(dealt.size(), 12U);
}

TEST(Split, DirichletLeavesNobodyEmptyHoweverSmallAlphaIs) {
  const Dataset data = uneven(100, 3);
  for (const double alpha : {1e-300, 1e-9, 0.01, 1.0, 1e9, 1e300}) {
    const Partition partition = make_split(data, 50, {.split = Split::dirichlet, .alpha = alpha});
    EXPECT_EQ(all_of(partition).size(), 100U) << alpha;
    for (const auto& samples : partition) EXPECT_FALSE(samples.empty()) << alpha;
  }
}

TEST(Split, DirichletOfASmallAlphaIsNearlyOneNodeAClass) {
  const Dataset data = uneven(10000, 6);
  const Partition partition = make_split(data, 4, {.split = Split::dirichlet, .alpha = 1e-6});
  const SplitCounts counts = count_classes(data, partition);
  for (std::size_t k = 0; k < 6; ++k) {
    std::int64_t most = 0;
    std::int64_t sum = 0;
    for (const auto& node : counts) {
      most = std::max(most, node[k]);
      sum += node[k];
    }
    EXPECT_GE(most, sum - 4) << "class " << k;  // what was given to nodes that would be empty
  }
}

TEST(Split, RefusesWhatCannotBe) {
  const Dataset data = uneven(10, 3);
  EXPECT_THROW(make_split(data, 11, {}), ConfigError);
  EXPECT_THROW(make_split(data, 0, {}), ConfigError);
  EXPECT_THROW(make_split(data, -1, {}), ConfigError);
  EXPECT_THROW(make_split(labelled({}, 0), 1, {}), ConfigError);
  for (const int shards : {0, -1, 3}) {
    EXPECT_THROW(make_split(data, 5, {.split = Split::shards, .shards = shards}), ConfigError);
  }
  for (const double alpha : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(make_split(data, 5, {.split = Split::dirichlet, .alpha = alpha}), ConfigError);
  }
  EXPECT_THROW(from_name<Split>("split", "sortd"), ConfigError);
}

TEST(Split, CutsNumbersInTheirOrder) {
  Dataset data;
  data.targets = {5, 1, 4, 2, 3, 0};
  EXPECT_EQ(make_split(data, 3, {.split = Split::sorted}), (Partition{{1, 5}, {3, 4}, {0, 2}}));
  EXPECT_THROW(make_split(data, 3, {.split = Split::dirichlet}), ConfigError);
}

TEST(Split, NamesReadBack) {
  for (const auto& entry : values_of<Split>) {
    EXPECT_EQ(from_name<Split>("split", name_of(entry.value)), entry.value);
  }
}

// A share of Dir(alpha) over n has mean 1/n and variance (1/n)(1 − 1/n) / (n alpha + 1).
TEST(Dirichlet, SharesHaveTheirMeanAndVariance) {
  constexpr int draws = 4000;
  constexpr NodeId nodes = 4;
  for (const double alpha : {1e-4, 0.01, 0.1, 0.9, 1.0, 3.0, 50.0}) {
    double sum = 0;
    double squares = 0;
    for (int k = 0; k < draws; ++k) {
      const auto shares = dirichlet(alpha, nodes, {.seed = 11, .round = k});
      double whole = 0;
      for (const double share : shares) whole += share;
      ASSERT_NEAR(whole, 1, 1e-12);
      sum += shares[1];
      squares += (shares[1] - 0.25) * (shares[1] - 0.25);
    }
    const double variance = 0.25 * 0.75 / (nodes * alpha + 1);
    EXPECT_NEAR(sum / draws, 0.25, 5 * std::sqrt(variance / draws)) << alpha;
    EXPECT_NEAR(squares / draws, variance, 0.12 * variance) << alpha;
  }
}

}  // namespace
}  // namespace driftless
