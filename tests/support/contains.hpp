#pragma once

#include <gtest/gtest.h>

#include <string_view>

namespace driftless::testing {

// For EXPECT_TRUE: tells both texts when it fails.
inline ::testing::AssertionResult contains(std::string_view text, std::string_view part) {
  if (text.find(part) != std::string_view::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "\"" << part << "\" is not in \"" << text << "\"";
}

}  // namespace driftless::testing
