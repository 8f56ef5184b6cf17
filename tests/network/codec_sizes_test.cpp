#include <gtest/gtest.h>

#include "driftless/network/codec.hpp"

// Bytes of a row, counted by hand.
namespace driftless::testing {
namespace {

Bytes size_in_double(const CompressionOptions& options, Index d) {
  return make_codec<double>(options)->bytes(d);
}
Bytes size_in_float(const CompressionOptions& options, Index d) {
  return make_codec<float>(options)->bytes(d);
}

TEST(CodecSizes, OfIntegersAreTheirBitsAndAByteABlock) {
  EXPECT_EQ(size_in_double({.codec = "int4"}, 1), 1 + 1);
  EXPECT_EQ(size_in_double({.codec = "int3"}, 50), 1 + 19);  // 150 bits
  EXPECT_EQ(size_in_double({.codec = "int4"}, 50), 1 + 25);
  EXPECT_EQ(size_in_double({.codec = "int8"}, 50), 1 + 50);
  EXPECT_EQ(size_in_double({.codec = "int4"}, 64), 1 + 32);
  EXPECT_EQ(size_in_double({.codec = "int4"}, 65), 2 + 33);
  EXPECT_EQ(size_in_double({.codec = "int5", .block = 7}, 21), 3 + 14);
  EXPECT_EQ(size_in_float({.codec = "int7", .block = 1000}, 9), 1 + 8);  // 63 bits
}

TEST(CodecSizes, OfNumbersOfTwoBytes) {
  EXPECT_EQ(size_in_double({.codec = "bf16"}, 1), 2);
  EXPECT_EQ(size_in_double({.codec = "bf16"}, 50), 100);
  EXPECT_EQ(size_in_float({.codec = "bf16"}, 50), 100);
}

TEST(CodecSizes, OfLevelsAreTheNormAndTheirBits) {
  EXPECT_EQ(size_in_double({.codec = "qsgd", .levels = 1}, 1), 8 + 1);     // 3 levels
  EXPECT_EQ(size_in_double({.codec = "qsgd", .levels = 3}, 50), 8 + 19);   // 7 levels
  EXPECT_EQ(size_in_double({.codec = "qsgd", .levels = 4}, 50), 8 + 25);   // 9
  EXPECT_EQ(size_in_double({.codec = "qsgd", .levels = 16}, 50), 8 + 38);  // 33
  EXPECT_EQ(size_in_float({.codec = "qsgd", .levels = 127}, 50), 4 + 50);  // 255
}

TEST(CodecSizes, OfSignsAreTheScaleAndABitEach) {
  EXPECT_EQ(size_in_double({.codec = "sign"}, 1), 8 + 1);
  EXPECT_EQ(size_in_double({.codec = "sign"}, 50), 8 + 7);
  EXPECT_EQ(size_in_float({.codec = "sign"}, 64), 4 + 8);
}

TEST(CodecSizes, OfTheLargestNumbersAreTheirPlacesAndThemselves) {
  EXPECT_EQ(size_in_double({.codec = "top_k", .keep = 1}, 1), 0 + 8);      // the place takes no bit
  EXPECT_EQ(size_in_double({.codec = "top_k", .keep = 0.1}, 50), 4 + 40);  // 5 indices of 6 bits
  EXPECT_EQ(size_in_double({.codec = "top_k", .keep = 0.2}, 50), 7 + 80);  // a bitmap
  EXPECT_EQ(size_in_float({.codec = "top_k", .keep = 0.05}, 64), 3 + 16);  // 4 of 6
  EXPECT_EQ(size_in_float({.codec = "top_k", .keep = 0.05}, 65), 4 + 16);  // 4 of 7
  EXPECT_EQ(size_in_double({.codec = "rand_k", .keep = 0.1}, 50), 40);
  EXPECT_EQ(size_in_float({.codec = "rand_k", .keep = 0.1}, 51), 24);
  EXPECT_EQ(size_in_float({.codec = "rand_k", .keep = 1e-9}, 1), 4);
}

TEST(CodecSizes, RoundTheShareThatIsKeptUpUnlessRoundingMadeIt) {
  // As doubles, 0.07 * 100 and 0.29 * 100 are just above and below 7 and 29.
  EXPECT_EQ(size_in_double({.codec = "rand_k", .keep = 0.07}, 100), 8 * 7);
  EXPECT_EQ(size_in_double({.codec = "rand_k", .keep = 0.29}, 100), 8 * 29);
  EXPECT_EQ(size_in_double({.codec = "rand_k", .keep = 0.0701}, 100), 8 * 8);
}

}  // namespace
}  // namespace driftless::testing
