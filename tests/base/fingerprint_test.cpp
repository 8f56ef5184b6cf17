#include "driftless/base/fingerprint.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace driftless::testing {
namespace {

std::uint64_t of(const std::vector<double>& numbers) {
  Fingerprint fingerprint;
  fingerprint.add_numbers(numbers);
  return fingerprint.value();
}

std::uint64_t of_texts(const std::vector<std::string>& texts) {
  Fingerprint fingerprint;
  for (const std::string& text : texts) fingerprint.add(text);
  return fingerprint.value();
}

TEST(Fingerprint, SeesWhereOneTextEndsAndTheNextBegins) {
  EXPECT_NE(of_texts({"ab", "c"}), of_texts({"a", "bc"}));
  EXPECT_NE(of_texts({"a"}), of_texts({std::string("a\0", 2)}));
  EXPECT_NE(of_texts({}), of_texts({""}));
}

TEST(Fingerprint, SeesEveryByteOfALongText) {
  const std::string text(37, 'x');
  for (std::size_t k = 0; k < text.size(); ++k) {
    std::string other = text;
    other[k] = 'y';
    EXPECT_NE(of_texts({other}), of_texts({text})) << "byte " << k;
  }
}

TEST(Fingerprint, SeesTheLastBitOfANumberAndTheOrder) {
  EXPECT_EQ(of({1.0, 2.0}), of({1.0, 2.0}));
  EXPECT_NE(of({1.0, 2.0}), of({2.0, 1.0}));
  EXPECT_NE(of({1.0}), of({1.0 + 1e-15}));
}

}  // namespace
}  // namespace driftless::testing
