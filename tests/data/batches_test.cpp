#include "driftless/data/batches.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "driftless/base/error.hpp"
#include "driftless/data/shuffled_order.hpp"

namespace driftless {
namespace {

// Samples that are not their own places: 7, 10, 13, …
std::vector<SampleId> some_samples(int count) {
  std::vector<SampleId> samples(static_cast<std::size_t>(count));
  for (int k = 0; k < count; ++k) samples[k] = 7 + 3 * k;
  return samples;
}

std::vector<SampleId> pick(const Batches& batches, const std::vector<SampleId>& mine,
                           const Draw& draw) {
  std::vector<SampleId> out{-1, -2};  // of an earlier call
  batches.pick(mine, draw, out);
  return out;
}

// How far a chi-square lies from what it should be, in deviations of it.
double excess(const std::vector<double>& counts, double expected, double freedom) {
  double sum = 0;
  for (const double count : counts) sum += (count - expected) * (count - expected) / expected;
  return (sum - freedom) / std::sqrt(2 * freedom);
}

RC_GTEST_PROP(BatchProperties, EveryPassTakesEachSampleOnce, ()) {
  const int count = *rc::gen::inRange(1, 300);
  const int size = *rc::gen::inRange(1, count + 1);
  const Step steps = *rc::gen::inRange(1, 8);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const NodeId node = *rc::gen::inRange(0, 1000);
  const std::vector<SampleId> mine = some_samples(count);
  const Batches batches(size, Sampling::shuffle, steps);
  const int batches_a_pass = (count + size - 1) / size;
  const int pass = *rc::gen::inRange(0, 100);
  std::vector<SampleId> taken;
  for (int b = pass * batches_a_pass; b < (pass + 1) * batches_a_pass; ++b) {
    const auto batch =
        pick(batches, mine, {.seed = seed, .node = node, .round = b / steps, .step = b % steps});
    const bool rest = b % batches_a_pass == batches_a_pass - 1;
    RC_ASSERT(std::ssize(batch) == (rest ? count - (batches_a_pass - 1) * size : size));
    taken.insert(taken.end(), batch.begin(), batch.end());
  }
  std::ranges::sort(taken);
  RC_ASSERT(taken == mine);
}

TEST(Batches, APassDependsOnSeedNodeAndItsNumberAlone) {
  const std::vector<SampleId> mine = some_samples(100);
  const Batches one(10, Sampling::shuffle, 1);
  const Batches five(10, Sampling::shuffle, 5);
  std::set<std::vector<SampleId>> seen;
  for (const std::uint64_t seed : {1ULL, 2ULL, 1ULL + (1ULL << 32)}) {
    for (const NodeId node : {0, 1}) {
      for (const Round pass : {0, 1}) {
        const auto batch = pick(one, mine, {seed, node, 10 * pass + 3, 0});
        EXPECT_EQ(batch, pick(five, mine, {seed, node, 2 * pass, 3}));
        seen.insert(batch);
      }
    }
  }
  EXPECT_EQ(seen.size(), 12U);
}

TEST(Batches, AreTheSameInAnyOrderOfCalls) {
  const std::vector<SampleId> mine = some_samples(97);
  for (const Sampling sampling : {Sampling::shuffle, Sampling::iid}) {
    const Batches batches(8, sampling, 4);
    std::map<Round, std::vector<SampleId>> forth;
    for (Round t = 0; t < 50; ++t) forth[t] = pick(batches, mine, {.seed = 5, .round = t});
    for (Round t = 49; t >= 0; --t) {
      EXPECT_EQ(pick(batches, mine, {.seed = 5, .round = t}), forth[t]);
    }
  }
}

TEST(Batches, TakeAllWhereThereAreNoMoreThanABatch) {
  for (const Sampling sampling : {Sampling::shuffle, Sampling::iid}) {
    const Batches batches(5, sampling, 3);
    for (const int count : {0, 1, 4, 5}) {
      EXPECT_EQ(pick(batches, some_samples(count), {.round = 8}), some_samples(count));
    }
  }
}

TEST(Batches, OfIndependentDrawsAreUniformAndWithReplacement) {
  constexpr std::size_t count = 50;
  const std::vector<SampleId> mine = some_samples(count);
  const Batches batches(7, Sampling::iid, 4);
  std::vector<double> counts(count);
  std::vector<double> pairs(count * count);
  constexpr int draws = 40000;
  bool repeated = false;
  for (int k = 0; k < draws; ++k) {
    const auto batch = pick(batches, mine, {.seed = 3, .round = k / 4, .step = k % 4});
    ASSERT_EQ(batch.size(), 7U);
    std::vector<std::size_t> places(7);
    for (std::size_t j = 0; j < 7; ++j) places[j] = static_cast<std::size_t>((batch[j] - 7) / 3);
    for (const std::size_t place : places) ++counts[place];
    for (std::size_t j = 1; j < 7; ++j) {
      ++pairs[places[j - 1] * count + places[j]];
      repeated = repeated || places[j] == places[j - 1];
    }
  }
  EXPECT_TRUE(repeated);
  EXPECT_LT(std::abs(excess(counts, 7.0 * draws / count, count - 1)), 4);
  EXPECT_LT(std::abs(excess(pairs, 6.0 * draws / pairs.size(), count * count - 1.0)), 4);
}

TEST(Batches, RefuseWhatCannotBe) {
  EXPECT_THROW(Batches(0, Sampling::iid, 1), ConfigError);
  EXPECT_THROW(Batches(1, Sampling::shuffle, 0), ConfigError);
  EXPECT_THROW(from_name<Sampling>("sampling", "shufle"), ConfigError);
  EXPECT_EQ(from_name<Sampling>("sampling", "shuffle"), Sampling::shuffle);
  EXPECT_EQ(from_name<Sampling>("sampling", "iid"), Sampling::iid);
}

TEST(ShuffledOrder, TakesEachOrderOfAFewEquallyOften) {
  for (const std::uint32_t count : {2U, 3U, 4U, 5U}) {
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0U);
    std::map<std::vector<std::uint32_t>, double> times;
    do {
      times[order] = 0;
    } while (std::ranges::next_permutation(order).found);
    constexpr int passes = 24000;
    for (int pass = 0; pass < passes; ++pass) {
      const ShuffledOrder shuffled(count, {.seed = 17, .round = pass});
      for (std::uint32_t place = 0; place < count; ++place) order[place] = shuffled[place];
      ++times.at(order);
    }
    std::vector<double> counts;
    counts.reserve(times.size());
    for (const auto& [_, number] : times) counts.push_back(number);
    const auto orders = static_cast<double>(counts.size());
    EXPECT_LT(std::abs(excess(counts, passes / orders, orders - 1)), 4) << count;
  }
}

TEST(ShuffledOrder, PutsEverySampleAtEveryPlaceAndBesideEveryOtherEquallyOften) {
  for (const std::uint32_t count : {7U, 16U, 33U, 64U, 100U, 257U}) {
    constexpr int passes = 20000;
    const std::size_t cells = std::size_t{count} * count;
    std::vector<double> at(cells);
    std::vector<double> beside(cells);
    for (int pass = 0; pass < passes; ++pass) {
      const ShuffledOrder order(count, {.seed = 23, .node = pass % 5, .round = pass});
      std::uint32_t before = order[0];
      ++at[before];
      for (std::uint32_t place = 1; place < count; ++place) {
        const std::uint32_t sample = order[place];
        ++at[place * count + sample];
        ++beside[before * count + sample];
        before = sample;
      }
    }
    const double n = count;
    EXPECT_LT(std::abs(excess(at, passes / n, (n - 1) * (n - 1))), 4) << count;
    std::vector<double> others;
    for (std::uint32_t a = 0; a < count; ++a) {
      EXPECT_EQ(beside[a * count + a], 0) << "the order has a sample twice";
      for (std::uint32_t b = 0; b < count; ++b) {
        if (a != b) others.push_back(beside[a * count + b]);
      }
    }
    EXPECT_LT(std::abs(excess(others, passes / n, n * (n - 1) - 1)), 4) << count;
  }
}

TEST(ShuffledOrder, OfMillionsIsOneToOne) {
  constexpr std::uint32_t count = 3'000'017;
  const ShuffledOrder order(count, {.seed = 1});
  std::vector<bool> seen(count);
  for (std::uint32_t place = 0; place < count; ++place) {
    const std::uint32_t sample = order[place];
    ASSERT_LT(sample, count);
    ASSERT_FALSE(seen[sample]);
    seen[sample] = true;
  }
}

}  // namespace
}  // namespace driftless
