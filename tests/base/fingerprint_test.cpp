#include "driftless/base/fingerprint.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace driftless::testing {
namespace {

std::uint64_t of(const std::vector<double>& numbers) {
  Fingerprint fingerprint;
  fingerprint.add_numbers(numbers);
  return fingerprint.value();
}

// The published values of FNV-1a with 64 bits.
TEST(Fingerprint, IsFnv1a) {
  Fingerprint fingerprint;
  EXPECT_EQ(fingerprint.value(), 0xcbf29ce484222325ULL);
  fingerprint.add("a");
  EXPECT_EQ(fingerprint.value(), 0xaf63dc4c8601ec8cULL);
}

TEST(Fingerprint, SeesTheLastBitOfANumberAndTheOrder) {
  EXPECT_EQ(of({1.0, 2.0}), of({1.0, 2.0}));
  EXPECT_NE(of({1.0, 2.0}), of({2.0, 1.0}));
  EXPECT_NE(of({1.0}), of({1.0 + 1e-15}));
}

}  // namespace
}  // namespace driftless::testing
