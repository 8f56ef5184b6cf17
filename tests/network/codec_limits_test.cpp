#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "driftless/base/error.hpp"
#include "tests/network/codec_cases.hpp"

// What codecs make of numbers and bytes at the limits, and of options.
namespace driftless::testing {
namespace {

const std::vector<CompressionOptions> codecs_to_the_limit = {
    {.codec = "int3", .block = 5},
    {.codec = "int4"},
    {.codec = "int8", .block = 1},
    {.codec = "bf16"},
    {.codec = "qsgd", .levels = 1, .unbiased = true},
    {.codec = "qsgd", .levels = 16},
    {.codec = "qsgd", .levels = 127, .unbiased = true},
    {.codec = "sign"},
    {.codec = "top_k", .keep = 0.05},
    {.codec = "top_k", .keep = 0.5},
    {.codec = "rand_k", .keep = 0.3},
};

template <class Real>
bool all_finite(const Row<Real>& v) {
  return std::ranges::all_of(v, [](Real value) { return std::isfinite(value); });
}

// Numbers of all sizes that there are, the smallest and the largest among them.
template <class Real>
Row<Real> any_extreme_row() {
  using Limits = std::numeric_limits<Real>;
  const auto extreme = rc::gen::element(Limits::max(), Limits::min(), Limits::denorm_min(), Real{0},
                                        Real{1}, Limits::max() / 2, -Limits::max());
  const auto any = rc::gen::map(rc::gen::arbitrary<std::uint64_t>(), [](std::uint64_t bits) {
    Real value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return std::isfinite(value) ? value : Real{-2};
  });
  const auto length = *rc::gen::inRange<std::size_t>(1, 200);
  return *rc::gen::container<Row<Real>>(
      length, *rc::gen::element(rc::Gen<Real>(extreme), rc::Gen<Real>(any)));
}

// Q(v) is finite, its letter is taken, and no number has changed its sign.
template <class Real>
void assert_takes_extremes() {
  const auto options = *rc::gen::elementOf(codecs_to_the_limit);
  const Row<Real> v = any_extreme_row<Real>();
  const Draw draw{.seed = *rc::gen::arbitrary<std::uint64_t>()};
  const Row<Real> numbers = packed(options, v, draw).numbers;
  RC_ASSERT(all_finite(numbers));
  for (std::size_t j = 0; j < v.size(); ++j) {
    RC_ASSERT(v[j] == 0 || numbers[j] == 0 || std::signbit(numbers[j]) == std::signbit(v[j]));
  }
}

RC_GTEST_PROP(CodecLimits, NumbersOfAnySizeGiveFiniteOnes, ()) {
  assert_takes_extremes<double>();
  assert_takes_extremes<float>();
}

// A run that has diverged ends with its diagnosis, not with a letter that cannot be decoded.
TEST(CodecLimits, NumbersThatAreNotFiniteGiveFiniteOnes) {
  for (const CompressionOptions& options : codecs_to_the_limit) {
    SCOPED_TRACE(options.codec);
    for (const double wrong : {HUGE_VAL, -HUGE_VAL, std::nan("")}) {
      Row<double> v(70, 1);
      v[3] = v[67] = wrong;
      EXPECT_TRUE(all_finite(packed(options, v, {}).numbers));
      EXPECT_TRUE(
          all_finite(packed(options, Row<float>(9, static_cast<float>(wrong)), {}).numbers));
    }
  }
}

constexpr double largest = std::numeric_limits<double>::max();
constexpr double smallest = std::numeric_limits<double>::denorm_min();

Row<double> numbers_of(const CompressionOptions& options, const Row<double>& v) {
  return packed(options, v, {}).numbers;
}

TEST(CodecLimits, IntegersAreCutOffAboveTheirGreatestExponent) {
  EXPECT_EQ(numbers_of({.codec = "int4"}, {largest, -1e60, 0}),
            (Row<double>{0x7p127, -0x7p127, 0}));
  constexpr float greatest = std::numeric_limits<float>::max();
  const Row<float> v{greatest, -greatest, 0};
  EXPECT_EQ(packed({.codec = "int3"}, v, {}).numbers, v);
}

TEST(CodecLimits, IntegersAreZeroBelowTheirLeastExponent) {
  EXPECT_EQ(numbers_of({.codec = "int4"}, {0x7p-127, 0x3p-127, -0x1p-127}),
            (Row<double>{0x7p-127, 0x3p-127, -0x1p-127}));
  EXPECT_EQ(numbers_of({.codec = "int4"}, {0x7p-128, -0x7p-128}), (Row<double>{0, 0}));
  EXPECT_EQ(numbers_of({.codec = "int4"}, {0x7.1p-128, -0x3p-128}),
            (Row<double>{0x1p-125, -0x1p-126}));  // of 4 and 2 at 2^-127; halves go to even
  EXPECT_EQ(numbers_of({.codec = "int4"}, {smallest, -smallest}), (Row<double>{0, 0}));
}

TEST(CodecLimits, Bf16EndsWithItsLargestNumber) {
  EXPECT_EQ(numbers_of({.codec = "bf16"}, {largest, -1e39, 0x1.ffp127, smallest}),
            (Row<double>{0x1.fep127, -0x1.fep127, 0x1.fep127, 0}));
}

TEST(CodecLimits, QsgdHasANormWhereSquaresAreOutOfRange) {
  const CompressionOptions exact{.codec = "qsgd", .levels = 1, .unbiased = true};
  for (const double size : {0x1p1000, 0x1p-1000, smallest, 0x1p-530}) {
    EXPECT_EQ(numbers_of(exact, {0, -size, 0}), (Row<double>{0, -size, 0}));
  }
  // The norm of four equal numbers is twice each, so a level is worth the number.
  const CompressionOptions two{.codec = "qsgd", .levels = 2, .unbiased = true};
  for (const double size : {0x1p1000, 0x1p-1000, 0x1p-530}) {
    EXPECT_EQ(numbers_of(two, Row<double>(4, size)), Row<double>(4, size));
  }
  EXPECT_EQ(numbers_of(exact, {largest}), (Row<double>{largest / 2}));
}

TEST(CodecLimits, SignHasAMeanWhereTheSumIsOutOfRange) {
  constexpr double half = largest / 2;
  EXPECT_EQ(numbers_of({.codec = "sign"}, {largest, -largest, 0, 0}),
            (Row<double>{half, -half, half, half}));
  EXPECT_EQ(numbers_of({.codec = "sign"}, {4 * smallest, -2 * smallest}),
            (Row<double>{3 * smallest, -3 * smallest}));
}

TEST(CodecLimits, TheLargestNumbersAreFoundAmongAll) {
  const CompressionOptions half{.codec = "top_k", .keep = 0.5};
  EXPECT_EQ(numbers_of(half, {smallest, 0, -2 * smallest, largest}),
            (Row<double>{0, 0, -2 * smallest, largest}));
  EXPECT_EQ(numbers_of(half, {-1, 1, 1, -1}), (Row<double>{-1, 1, 0, 0}));
}

// Bytes that nobody has encoded give finite numbers or DataError.
template <class Real>
void assert_survives(const Codec<Real>& codec, const std::vector<std::byte>& bytes, Index d) {
  Row<Real> to(static_cast<std::size_t>(d));
  try {
    codec.add_decoded(bytes.data(), d, {}, to.data());
  } catch (const DataError&) {
    return;
  }
  RC_ASSERT(all_finite(to));
}

template <class Real>
void assert_survives_any_bytes() {
  const auto codec = make_codec<Real>(*rc::gen::elementOf(codecs_to_the_limit));
  const Index d = *rc::gen::inRange(1, 200);
  std::vector<std::byte> bytes(codec->bytes(d));
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  for (std::size_t k = 0; k < bytes.size(); ++k) {
    bytes[k] = static_cast<std::byte>(word({.seed = seed}, Purpose::problem_data, k));
  }
  assert_survives(*codec, bytes, d);

  const Row<Real> v(static_cast<std::size_t>(d), 1);
  codec->encode(v.data(), d, {}, bytes.data());
  const auto place = *rc::gen::inRange<std::size_t>(0, bytes.size());
  bytes[place] = static_cast<std::byte>(*rc::gen::inRange(0, 256));
  assert_survives(*codec, bytes, d);
}

RC_GTEST_PROP(CodecLimits, AnyBytesAreRefusedOrGiveFiniteNumbers, ()) {
  assert_survives_any_bytes<double>();
  assert_survives_any_bytes<float>();
}

template <class Real>
void expect_refused(const CompressionOptions& options, Index d, const std::vector<int>& bytes,
                    const std::string& reason) {
  const auto codec = make_codec<Real>(options);
  std::vector<std::byte> in;
  in.reserve(bytes.size());
  for (const int byte : bytes) in.push_back(static_cast<std::byte>(byte));
  ASSERT_EQ(in.size(), codec->bytes(d));
  Row<Real> to(static_cast<std::size_t>(d));
  try {
    codec->add_decoded(in.data(), d, {}, to.data());
    ADD_FAILURE() << "taken, expected: " << reason;
  } catch (const DataError& error) {
    EXPECT_NE(std::string(error.what()).find(reason), std::string::npos) << error.what();
  }
}

TEST(CodecLimits, BytesThatNoRowHasAreRefused) {
  expect_refused<double>({.codec = "int4"}, 1, {0, 0x08}, "below all others");
  expect_refused<double>({.codec = "int4"}, 1, {0x80, 0x01}, "in a block of zeros");
  expect_refused<double>({.codec = "int4"}, 1, {0, 0x11}, "beyond its end");
  expect_refused<double>({.codec = "int8"}, 1, {0, 0x80}, "below all others");
  expect_refused<float>({.codec = "bf16"}, 1, {0x80, 0x7F}, "not finite");
  expect_refused<double>({.codec = "bf16"}, 2, {0, 0, 0x81, 0xFF}, "not finite");
  expect_refused<float>({.codec = "qsgd"}, 1, {0, 0, 0x80, 0xBF, 4}, "the norm -1");
  expect_refused<float>({.codec = "qsgd"}, 1, {0, 0, 0x80, 0x7F, 4}, "the norm inf");
  expect_refused<float>({.codec = "qsgd"}, 1, {0, 0, 0xC0, 0x7F, 4}, "the norm nan");
  expect_refused<float>({.codec = "qsgd"}, 1, {0, 0, 0x80, 0x3F, 9}, "level 5 of 4");
  expect_refused<float>({.codec = "qsgd"}, 1, {0, 0, 0x80, 0x3F, 0x14}, "beyond its end");
  expect_refused<float>({.codec = "sign"}, 1, {0, 0, 0x80, 0xBF, 0}, "the scale -1");
  expect_refused<float>({.codec = "sign"}, 1, {0, 0, 0xC0, 0x7F, 0}, "the scale nan");
  expect_refused<float>({.codec = "sign"}, 1, {0, 0, 0x80, 0x3F, 2}, "beyond its end");
  // One of ten: an index of four bits. Two of three: a bitmap or two indices take a byte.
  const CompressionOptions tenth{.codec = "top_k", .keep = 0.1};
  const CompressionOptions most{.codec = "top_k", .keep = 0.6};
  expect_refused<float>(tenth, 10, {10, 0, 0, 0x80, 0x3F}, "number 10 of 10");
  expect_refused<float>(tenth, 10, {0x11, 0, 0, 0x80, 0x3F}, "beyond its indices");
  expect_refused<float>(tenth, 10, {1, 0, 0, 0x80, 0x7F}, "number 1 is inf");
  expect_refused<float>(most, 3, {0x05, 0, 0, 0, 0, 0, 0, 0, 0}, "number 1 of 3 after number 1");
  expect_refused<float>({.codec = "rand_k", .keep = 1}, 1, {0, 0, 0xC0, 0x7F}, "number 0 is nan");
}

TEST(CodecLimits, ABitmapMustHaveTheNumbersThatAreKept) {
  const CompressionOptions half{.codec = "top_k", .keep = 0.5};
  const auto letter = packed(half, Row<float>(20, 1), {});
  std::vector<int> bytes;
  for (const std::byte byte : letter.bytes) bytes.push_back(std::to_integer<int>(byte));
  EXPECT_EQ((std::vector<int>{bytes.begin(), bytes.begin() + 3}), (std::vector<int>{0xFF, 3, 0}));
  bytes[0] = 0x7F;
  expect_refused<float>(half, 20, bytes, "9 of 20 numbers, expected 10");
  bytes[0] = 0xFF;
  bytes[1] = 7;
  expect_refused<float>(half, 20, bytes, "11 of 20 numbers, expected 10");
  bytes[1] = 3;
  bytes[2] = 0x10;
  expect_refused<float>(half, 20, bytes, "10 of 20 numbers");
}

TEST(CompressionOptions, WithoutACodecLettersAreWhole) {
  EXPECT_EQ(make_codec<double>({}), nullptr);
  EXPECT_EQ(make_codec<float>({.codec = "none"}), nullptr);
}

TEST(CompressionOptions, OutOfBoundsAreRefused) {
  EXPECT_THROW(make_codec<double>({.codec = "int9"}), ConfigError);
  EXPECT_THROW(make_codec<double>({.codec = "int2"}), ConfigError);
  EXPECT_THROW(make_codec<double>({.codec = "int4", .block = 0}), ConfigError);
  EXPECT_THROW(make_codec<double>({.codec = "qsgd", .levels = 0}), ConfigError);
  EXPECT_THROW(make_codec<double>({.codec = "qsgd", .levels = 128}), ConfigError);
  EXPECT_THROW(make_codec<float>({.codec = "top_k", .keep = 0}), ConfigError);
  EXPECT_THROW(make_codec<float>({.codec = "top_k", .keep = 1.01}), ConfigError);
  EXPECT_THROW(make_codec<float>({.codec = "int4", .rate = 0}), ConfigError);
}

TEST(CompressionOptions, TheDefaultRateIsLowWhereNumbersWaitForRounds) {
  EXPECT_EQ(default_rate({.codec = "none"}, 50), 1);
  EXPECT_EQ(default_rate({.codec = "int4"}, 50), 1);
  EXPECT_EQ(default_rate({.codec = "bf16"}, 50), 1);
  EXPECT_EQ(default_rate({.codec = "sign"}, 50), 1);
  EXPECT_EQ(default_rate({.codec = "qsgd"}, 50), 1);
  EXPECT_EQ(default_rate({.codec = "qsgd", .levels = 16, .unbiased = true}, 50), 1);
  EXPECT_EQ(default_rate({.codec = "qsgd", .levels = 1}, 50), 1.5 / std::sqrt(50));
  EXPECT_EQ(default_rate({.codec = "qsgd"}, 6400), 1.5 / 20);
  EXPECT_EQ(default_rate({.codec = "qsgd", .levels = 4, .unbiased = true}, 50), 0.2);
  EXPECT_EQ(default_rate({.codec = "qsgd", .levels = 10, .unbiased = true}, 400), 0.05);
  EXPECT_EQ(default_rate({.codec = "top_k", .keep = 0.1}, 50), 0.2);
  EXPECT_EQ(default_rate({.codec = "top_k", .keep = 0.8}, 50), 1);
  EXPECT_EQ(default_rate({.codec = "rand_k", .keep = 0.1}, 50), 0.1);
}

TEST(CompressionOptions, LettersOfFewUnbiasedLevelsDoNotSettle) {
  EXPECT_TRUE(letters_settle({.codec = "qsgd", .levels = 10, .unbiased = true}, 400));
  EXPECT_FALSE(letters_settle({.codec = "qsgd", .levels = 9, .unbiased = true}, 400));
  EXPECT_TRUE(letters_settle({.codec = "qsgd", .levels = 1}, 400));
  EXPECT_TRUE(letters_settle({.codec = "sign", .levels = 1, .unbiased = true}, 400));
}

TEST(CompressionOptions, TheVarianceOfQsgdIsTheLowerOfItsTwoBounds) {
  EXPECT_DOUBLE_EQ(qsgd_variance(4, 4), 0.25);
  EXPECT_DOUBLE_EQ(qsgd_variance(4, 16), 1);
  EXPECT_DOUBLE_EQ(qsgd_variance(4, 64), 2);
  EXPECT_DOUBLE_EQ(qsgd_variance(1, 100), 10);
}

TEST(CompressionOptions, IntegersAndBf16AndFineUnbiasedQsgdKeepMostOfANumber) {
  EXPECT_TRUE(keeps_most_of_a_number({.codec = "int3"}, 1000));
  EXPECT_TRUE(keeps_most_of_a_number({.codec = "int8"}));
  EXPECT_TRUE(keeps_most_of_a_number({.codec = "bf16"}, 1000));
  EXPECT_TRUE(keeps_most_of_a_number({.codec = "qsgd", .levels = 16, .unbiased = true}, 50));
  EXPECT_FALSE(keeps_most_of_a_number({.codec = "qsgd", .levels = 16, .unbiased = true}, 1000));
  EXPECT_TRUE(keeps_most_of_a_number({.codec = "qsgd", .levels = 16, .unbiased = true}));
  EXPECT_FALSE(keeps_most_of_a_number({.codec = "qsgd", .levels = 4, .unbiased = true}, 2));
  EXPECT_FALSE(keeps_most_of_a_number({.codec = "qsgd", .levels = 16}, 50));
  EXPECT_FALSE(keeps_most_of_a_number({.codec = "sign"}, 50));
  EXPECT_FALSE(keeps_most_of_a_number({.codec = "top_k", .keep = 0.9}, 50));
  EXPECT_FALSE(keeps_most_of_a_number({.codec = "rand_k", .keep = 0.9}, 50));
}

}  // namespace
}  // namespace driftless::testing
