#include "driftless/network/codec.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "driftless/base/error.hpp"
#include "tests/base/targets.hpp"
#include "tests/network/codec_cases.hpp"

namespace driftless::testing {
namespace {

using Packing = CompressionOptions;

// Every codec, with some of its options.
const std::vector<Packing> all_codecs = {
    {.codec = "int3"},
    {.codec = "int4", .block = 3},
    {.codec = "int5", .block = 1},
    {.codec = "int6", .block = 1500},
    {.codec = "int7", .block = 8},
    {.codec = "int8"},
    {.codec = "bf16"},
    {.codec = "qsgd", .levels = 1, .unbiased = true},
    {.codec = "qsgd"},
    {.codec = "qsgd", .levels = 127},
    {.codec = "sign"},
    {.codec = "top_k", .keep = 0.03},
    {.codec = "top_k", .keep = 0.5},
    {.codec = "rand_k"},
    {.codec = "rand_k", .keep = 1},
};

// With few digits, so that sums of them and of their squares are exact; with many halves, equals
// and zeros.
Row<double> any_row(int longest) {
  const int d = *rc::gen::inRange(1, longest + 1);
  const double unit = std::ldexp(1, *rc::gen::inRange(-60, 40));
  Row<double> v(static_cast<std::size_t>(d));
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  for (std::size_t j = 0; j < v.size(); ++j) {
    const auto [a, b, c, e] =
        words({.seed = seed}, Purpose::problem_data, static_cast<unsigned>(j));
    v[j] = unit * std::ldexp(static_cast<int>(a % 2047) - 1023, static_cast<int>(b % 10));
    if (c % 5 == 0) v[j] = e % 2 == 0 ? 0.0 : -0.0;
  }
  return v;
}

template <class Real>
Row<Real> to_reals(const Row<double>& v) {
  return {v.begin(), v.end()};
}

template <class Real>
void assert_as_written_out(const Packing& options, const Row<Real>& v, const Draw& draw) {
  const Letter<Real> expected = written_out(options, v, draw);
  const Letter<Real> actual = packed(options, v, draw);
  RC_ASSERT(actual.bytes == expected.bytes);
  RC_ASSERT(actual.numbers == expected.numbers);
}

RC_GTEST_PROP(Codec, PacksAsWrittenOutBitByBitOnEveryTarget, ()) {
  const Packing options = *rc::gen::elementOf(all_codecs);
  const Row<double> v = any_row(*rc::gen::element(20, 200, 3000));
  const Draw draw{.seed = 5, .node = 1, .round = *rc::gen::inRange<Round>(0, 1000), .step = 3};
  on_every_target([&] {
    assert_as_written_out(options, v, draw);
    assert_as_written_out(options, to_reals<float>(v), draw);
  });
}

template <class Real>
double square_sum(const Row<Real>& v) {
  double sum = 0;
  for (const Real value : v) sum += static_cast<double>(value) * static_cast<double>(value);
  return sum;
}

// |Q(v) - v|² / |v|²
double relative_error(const Packing& options, const Row<double>& v, const Draw& draw = {}) {
  Row<double> numbers = packed(options, v, draw).numbers;
  for (std::size_t j = 0; j < v.size(); ++j) numbers[j] -= v[j];
  return square_sum(numbers) / square_sum(v);
}

Row<double> any_row_but_zeros(int longest) {
  Row<double> v = any_row(longest);
  if (square_sum(v) == 0) v[0] = 1;
  return v;
}

RC_GTEST_PROP(CodecErrors, OfIntegersAreWithinTheirBound, ()) {
  const int bits = *rc::gen::inRange(3, 9);
  const int block = *rc::gen::inRange(1, 100);
  const double q = (1 << (bits - 1)) - 1;
  const double bound = std::min(block / (q * q), 1 - (1 - 1 / (q * q)) / block);
  const Packing options{.codec = "int" + std::to_string(bits), .block = block};
  RC_ASSERT(relative_error(options, any_row_but_zeros(300)) <= bound * (1 + 1e-12));
}

RC_GTEST_PROP(CodecErrors, OfBf16AreWithinTheirBound, ()) {
  RC_ASSERT(relative_error({.codec = "bf16"}, any_row_but_zeros(300)) <= 0x1p-16);
}

RC_GTEST_PROP(CodecErrors, OfTopKAreAtMostTheShareLeftOut, ()) {
  const Packing options{.codec = "top_k", .keep = *rc::gen::inRange(1, 100) / 100.0};
  const Row<double> v = any_row_but_zeros(300);
  RC_ASSERT(relative_error(options, v) <= 1 - std::ceil(options.keep * v.size() - 1e-9) / v.size());
}

RC_GTEST_PROP(CodecErrors, OfSignsAreThoseOfTheBestScale, ()) {
  const Row<double> v = any_row_but_zeros(300);
  double sum = 0;
  for (const double value : v) sum += std::abs(value);
  const double count = static_cast<double>(v.size());
  const double expected = 1 - sum * sum / (count * square_sum(v));
  RC_ASSERT(std::abs(relative_error({.codec = "sign"}, v) - expected) < 1e-12);
}

// Of many draws: the mean of Q(v) and of its relative error.
struct Means {
  Row<double> numbers;
  double error;
};
Means means(const Packing& options, const Row<double>& v, Round draws) {
  Means result{.numbers = Row<double>(v.size()), .error = 0};
  for (Round t = 0; t < draws; ++t) {
    const Draw draw{.seed = 7, .round = t};
    const auto numbers = packed(options, v, draw).numbers;
    for (std::size_t j = 0; j < v.size(); ++j) {
      result.numbers[j] += numbers[j] / static_cast<double>(draws);
    }
    result.error += relative_error(options, v, draw) / static_cast<double>(draws);
  }
  return result;
}

const Row<double> staircase{1, -2, 3, -4, 5, -6, 7, -8, 9, -10};  // |v|² = 385

TEST(CodecErrors, OfRandKAreTheShareLeftOutInTheMean) {
  const auto [numbers, error] = means({.codec = "rand_k", .keep = 0.3}, staircase, 4000);
  EXPECT_NEAR(error, 0.7, 0.01);
  for (std::size_t j = 0; j < 10; ++j) EXPECT_NEAR(numbers[j], 0.3 * staircase[j], 0.03 * (1. + j));
}

TEST(CodecErrors, OfUnbiasedQsgdHaveMeanZeroAndABoundedVariance) {
  const Packing options{.codec = "qsgd", .levels = 2, .unbiased = true};
  const auto [numbers, error] = means(options, staircase, 4000);
  // A level is worth 9.8; the standard deviation of a number is half of that at most.
  for (std::size_t j = 0; j < 10; ++j) EXPECT_NEAR(numbers[j], staircase[j], 4 * 4.9 / 63);
  EXPECT_LE(error, std::sqrt(10) / 2);
  EXPECT_GT(error, 0.1);
}

TEST(CodecErrors, OfScaledQsgdAreBelowThoseOfZeros) {
  const double omega = std::sqrt(10) / 2;
  const auto [numbers, error] = means({.codec = "qsgd", .levels = 2}, staircase, 4000);
  for (std::size_t j = 0; j < 10; ++j) {
    EXPECT_NEAR(numbers[j], staircase[j] / (1 + omega), 4 * 4.9 / 63);
  }
  EXPECT_LE(error, omega / (1 + omega));
}

template <class Real>
void expect_zeros_from_zeros() {
  for (const Packing& options : all_codecs) {
    for (const std::size_t d : {1, 7, 64, 65}) {
      SCOPED_TRACE(options.codec);
      EXPECT_EQ(packed(options, Row<Real>(d, -0.0), {}).numbers, Row<Real>(d, 0));
    }
  }
}

TEST(Codec, GivesZerosForZeros) {
  expect_zeros_from_zeros<double>();
  expect_zeros_from_zeros<float>();
}

template <class Real>
void expect_sums(const Packing& options) {
  SCOPED_TRACE(options.codec);
  Row<Real> v(100), to(100, Real{2} / 3);
  fill_normals(v.data(), 100, 1.0, {.seed = 4}, Purpose::problem_data);
  const auto [bytes, numbers] = packed(options, v, {});
  make_codec<Real>(options)->add_decoded(bytes.data(), 100, {}, to.data());
  for (std::size_t j = 0; j < v.size(); ++j) EXPECT_EQ(to[j], Real{2} / 3 + numbers[j]);
}

TEST(Codec, AddsNumbersToThoseThatAreThere) {
  for (const Packing& options : all_codecs) {
    expect_sums<double>(options);
    expect_sums<float>(options);
  }
}

// The sender keeps what it has said, the receiver what it has heard, at other addresses.
template <class Real>
void expect_equal_estimates(const Packing& options) {
  SCOPED_TRACE(options.codec);
  constexpr Index d = 777;
  const auto codec = make_codec<Real>(options);
  std::vector<std::byte> sent(codec->bytes(d)), received(sent.size() + 3);
  Row<Real> row(d), missing(d), said(d), heard(d + 1);
  for (Round t = 0; t < 20; ++t) {
    const Draw draw{.seed = 3, .node = 2, .round = t};
    fill_normals(row.data(), d, 1.0, draw, Purpose::problem_data);
    for (std::size_t j = 0; j < row.size(); ++j) missing[j] = row[j] - said[j];
    codec->encode(missing.data(), d, draw, sent.data());
    codec->add_decoded(sent.data(), d, draw, said.data());
    std::ranges::copy(sent, received.begin() + 3);
    codec->add_decoded(received.data() + 3, d, draw, heard.data() + 1);
  }
  EXPECT_EQ(std::memcmp(said.data(), heard.data() + 1, said.size() * sizeof(Real)), 0);
  EXPECT_GT(square_sum(said), 0);
}

TEST(Codec, GivesBothEndsTheSameBits) {
  for (const Packing& options : all_codecs) {
    expect_equal_estimates<double>(options);
    expect_equal_estimates<float>(options);
  }
}

TEST(Codec, PacksBlocksAsRowsOfTheirOwn) {
  Row<double> v(5000);
  fill_normals(v.data(), 5000, 1.0, {.seed = 1}, Purpose::problem_data);
  const auto whole = packed({.codec = "int5", .block = 8}, v, {});
  for (std::size_t first = 0; first < v.size(); first += 8) {
    const Row<double> block(v.begin() + static_cast<std::ptrdiff_t>(first),
                            v.begin() + static_cast<std::ptrdiff_t>(first + 8));
    const auto alone = packed({.codec = "int5", .block = 8}, block, {});
    ASSERT_EQ(whole.bytes[first / 8], alone.bytes[0]);
    ASSERT_EQ(std::memcmp(whole.bytes.data() + 625 + first / 8 * 5, alone.bytes.data() + 1, 5), 0);
  }
}

TEST(Codec, WritesNoByteMoreThanItSays) {
  for (const Packing& options : all_codecs) {
    const auto codec = make_codec<double>(options);
    for (const Index d : {1, 2, 8, 9, 63, 65, 1023, 1025, 1100}) {
      const Row<double> v(static_cast<std::size_t>(d), -1.5);
      std::vector<std::byte> out(codec->bytes(d) + 64, std::byte{0xA5});
      codec->encode(v.data(), d, {}, out.data());
      EXPECT_EQ(std::ranges::count(out.end() - 64, out.end(), std::byte{0xA5}), 64)
          << options.codec << " of " << d;
    }
  }
}

}  // namespace
}  // namespace driftless::testing
