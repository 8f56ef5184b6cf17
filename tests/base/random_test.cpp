#include "driftless/base/random.hpp"

#include <Random123/philox.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <numbers>
#include <set>
#include <vector>

#include "tests/base/targets.hpp"

namespace driftless {
namespace {

constexpr auto noise = Purpose::gradient_noise;

// Extremes of every field, and a few in between.
const std::vector<Draw> draws = {
    {},
    {.seed = 1, .node = 2, .round = 3, .step = 4},
    {.seed = 0xFFFFFFFFFFFFFFFF, .node = 0x7FFFFFFF, .round = 0xFFFFFFFF, .step = 0xFFFFFF},
    {.seed = 0x123456789ABCDEF0, .node = 99, .round = 0x80000005, .step = 0x800000},
};

std::array<std::uint32_t, 4> block_of(const Draw& draw, Purpose purpose, std::uint32_t block) {
  const PhiloxCounter c = philox_counter(draw, purpose, block);
  const PhiloxKey k = philox_key(draw);
  const auto words = r123::Philox4x32()({{c[0], c[1], c[2], c[3]}}, {{k[0], k[1]}});
  return {words[0], words[1], words[2], words[3]};
}

// Where number k of a block lies, as random.hpp states it.
Index coordinate_of(Index block, Index k) { return block / 8 * 32 + 8 * k + block % 8; }

std::vector<double> normals_of(const Draw& draw, Purpose purpose, Index d) {
  std::vector<double> z(static_cast<std::size_t>(d));
  fill_normals(z.data(), d, 1.0, draw, purpose);
  return z;
}

// Box and Muller with the standard library; d is a multiple of 32.
std::vector<double> slow_normals(const Draw& draw, Purpose purpose, Index d) {
  std::vector<double> z(static_cast<std::size_t>(d));
  for (Index block = 0; block < d / 4; ++block) {
    const auto w = block_of(draw, purpose, static_cast<std::uint32_t>(block));
    for (Index pair = 0; pair < 2; ++pair) {
      const double r = std::sqrt(-2 * std::log((w[2 * pair] + 0.5) * 0x1p-32));
      const double angle = 2 * std::numbers::pi * w[2 * pair + 1] * 0x1p-32;
      z[coordinate_of(block, 2 * pair)] = r * std::cos(angle);
      z[coordinate_of(block, 2 * pair + 1)] = r * std::sin(angle);
    }
  }
  return z;
}

TEST(Word, GivesTheKnownAnswersOfPhilox) {
  // Random123's published vectors for philox4x32 with 10 rounds.
  const Draw zero{};
  const std::array<std::uint32_t, 4> of_zero = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
  const Draw ones{.seed = 0xFFFFFFFFFFFFFFFF, .node = -1, .round = 0xFFFFFFFF, .step = 0xFFFFFF};
  const std::array<std::uint32_t, 4> of_ones = {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd};
  const Draw pi{.seed = 0x299f31d0a4093822,
                .node = static_cast<NodeId>(0x85a308d3),
                .round = 0x13198a2e,
                .step = 0x037073};
  const std::array<std::uint32_t, 4> of_pi = {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1};
  for (std::uint64_t i = 0; i < 4; ++i) {
    EXPECT_EQ(word(zero, Purpose{0}, i), of_zero[i]);
    EXPECT_EQ(word(ones, Purpose{0xFF}, 4 * 0xFFFFFFFFull + i), of_ones[i]);
    EXPECT_EQ(word(pi, Purpose{0x44}, 4 * 0x243f6a88ull + i), of_pi[i]);
  }
}

TEST(Word, IsTheWordOfItsBlock) {
  for (const Draw& draw : draws) {
    for (std::uint64_t i = 0; i < 100; ++i) {
      EXPECT_EQ(word(draw, noise, i),
                block_of(draw, noise, static_cast<std::uint32_t>(i / 4))[i % 4]);
    }
  }
}

TEST(Uniform, StaysInTheOpenIntervalWithTheRightMoments) {
  constexpr int count = 200000;
  double sum = 0, squares = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const double u = uniform(Draw{.seed = 5}, Purpose::graph, i);
    ASSERT_GT(u, 0.0);
    ASSERT_LT(u, 1.0);
    sum += u - 0.5;
    squares += (u - 0.5) * (u - 0.5);
  }
  EXPECT_NEAR(sum / count, 0, 5 * std::sqrt(1.0 / 12 / count));
  EXPECT_NEAR(squares / count, 1.0 / 12, 5 * std::sqrt(1.0 / 180 / count));
}

// From r cos a and r sin a both words of the pair can be read back exactly, so this compares every
// bit of the vector generator with Random123.
TEST(Normals, AreMadeOfExactlyTheWordsOfPhiloxOnEveryTarget) {
  on_every_target([] {
    for (const Draw& draw : draws) {
      const auto z = normals_of(draw, noise, 1280);
      for (Index block = 0; block < 320; ++block) {
        const auto words = block_of(draw, noise, static_cast<std::uint32_t>(block));
        for (Index pair = 0; pair < 2; ++pair) {
          const double x = z[coordinate_of(block, 2 * pair)];
          const double y = z[coordinate_of(block, 2 * pair + 1)];
          const double u = std::exp(-(x * x + y * y) / 2);
          const double turns = std::atan2(y, x) / (2 * std::numbers::pi);
          EXPECT_EQ(std::llround(u * 0x1p32 - 0.5), words[2 * pair]);
          EXPECT_EQ(static_cast<std::uint32_t>(std::llround(turns * 0x1p32)), words[2 * pair + 1]);
        }
      }
    }
  });
}

TEST(Normals, FollowBoxAndMullerToTwelveDigits) {
  for (const Draw& draw : draws) {
    constexpr Index d = 64000;
    const auto z = normals_of(draw, noise, d);
    const auto expected = slow_normals(draw, noise, d);
    double worst = 0;
    for (Index j = 0; j < d; ++j) {
      worst = std::max(worst, std::abs(z[j] - expected[j]) / std::max(1.0, std::abs(expected[j])));
    }
    EXPECT_LT(worst, 5e-13);
  }
}

template <class Real>
class NormalsOf : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(NormalsOf, Reals);

TYPED_TEST(NormalsOf, AnyLengthAreAPrefixRoundedOnceOnEveryTarget) {
  const Draw draw = draws[1];
  std::vector<double> whole(160);
  hwy::SetSupportedTargetsForTest(0);
  fill_normals(whole.data(), 160, 0.3, draw, noise);
  on_every_target([&] {
    for (Index d = 0; d <= 130; ++d) {
      // One element on either side shows writes outside; the first spoils the alignment.
      std::vector<TypeParam> filled(static_cast<std::size_t>(d + 2), TypeParam(7));
      std::vector<TypeParam> expected = filled;
      auto added = filled;
      auto expected_sum = filled;
      for (Index j = 0; j < d; ++j) {
        expected[j + 1] = static_cast<TypeParam>(whole[j]);
        expected_sum[j + 1] += static_cast<TypeParam>(whole[j]);
      }
      fill_normals(filled.data() + 1, d, 0.3, draw, noise);
      add_normals(added.data() + 1, d, 0.3, draw, noise);
      EXPECT_EQ(filled, expected) << "at length " << d;
      EXPECT_EQ(added, expected_sum) << "at length " << d;
    }
  });
}

TEST(Normals, HaveTheMomentsAndTailsOfTheNormalDistribution) {
  constexpr Index d = 1 << 21;
  const auto z = normals_of({.seed = 11}, noise, d);
  std::array<double, 5> moment{};
  std::array<double, 5> beyond{};
  for (const double x : z) {
    for (int k = 1; k <= 4; ++k) {
      moment[k] += std::pow(x, k) / d;
      beyond[k] += (std::abs(x) > k) / static_cast<double>(d);
    }
  }
  // The variance of x^k is E x^2k - (E x^k)^2.
  const std::array<double, 5> mean = {1, 0, 1, 0, 3};
  const std::array<double, 5> variance = {0, 1, 2, 15, 96};
  for (int k = 1; k <= 4; ++k) {
    EXPECT_NEAR(moment[k], mean[k], 5 * std::sqrt(variance[k] / d)) << "moment " << k;
    const double mass = std::erfc(k / std::numbers::sqrt2);
    EXPECT_NEAR(beyond[k], mass, 5 * std::sqrt(mass * (1 - mass) / d)) << "tail " << k;
  }
}

double correlation(const std::vector<double>& a, const std::vector<double>& b, std::size_t lag) {
  double sum = 0;
  for (std::size_t j = lag; j < a.size(); ++j) sum += a[j] * b[j - lag];
  return sum / static_cast<double>(a.size() - lag);
}

TEST(Normals, AreUncorrelatedWithinADrawAndBetweenDraws) {
  constexpr Index d = 1 << 20;
  const double bound = 5 / std::sqrt(d - 64.0);
  const Draw draw{.seed = 11, .node = 3, .round = 5, .step = 7};
  const auto z = normals_of(draw, noise, d);
  for (const std::size_t lag : {1, 2, 4, 8, 16, 24, 32, 64}) {
    EXPECT_LT(std::abs(correlation(z, z, lag)), bound) << "lag " << lag;
    auto squares = z;
    for (double& x : squares) x = (x * x - 1) / std::numbers::sqrt2;
    EXPECT_LT(std::abs(correlation(squares, squares, lag)), bound) << "squares, lag " << lag;
  }
  const std::vector<std::vector<double>> others = {
      normals_of({.seed = 12, .node = 3, .round = 5, .step = 7}, noise, d),
      normals_of({.seed = 11, .node = 4, .round = 5, .step = 7}, noise, d),
      normals_of({.seed = 11, .node = 3, .round = 6, .step = 7}, noise, d),
      normals_of({.seed = 11, .node = 3, .round = 5, .step = 8}, noise, d),
      normals_of(draw, Purpose::problem_data, d),
  };
  for (const auto& other : others) EXPECT_LT(std::abs(correlation(z, other, 0)), bound);
}

TEST(Normals, DifferForEveryFieldOfTheDraw) {
  std::set<std::vector<double>> streams;
  std::size_t count = 0;
  for (const std::uint64_t seed : {0ull, 1ull, 1ull << 32, ~0ull}) {
    for (const NodeId node : {0, 1, 1 << 30}) {
      for (const Round round : {0ll, 1ll, 1ll << 31, (1ll << 32) - 1}) {
        for (const Step step : {0, 1, 255, 256, (1 << 24) - 1}) {
          for (const Purpose purpose :
               {Purpose::gradient_noise, Purpose::problem_data, Purpose::graph}) {
            const Draw draw{.seed = seed, .node = node, .round = round, .step = step};
            streams.insert(normals_of(draw, purpose, 4));
            ++count;
          }
        }
      }
    }
  }
  EXPECT_EQ(streams.size(), count);
}

}  // namespace
}  // namespace driftless
