#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "driftless/base/text.hpp"

namespace driftless {

// The whole text as a finite number in decimal notation, which may begin with a sign; none where it
// is no such number. The bits are those of std::from_chars. Where a whole number of at most 2^53
// and a power of ten of at most 10^22 make up the number, both are doubles exactly and one
// operation rounds once (Clinger, 1990), which takes a fraction of the time.
inline std::optional<double> parse_decimal(std::string_view text) {
  constexpr double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                               1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                               1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  constexpr std::uint64_t largest_whole = std::uint64_t{1} << 53;
  constexpr std::ptrdiff_t most_digits = 19;  // so many never exceed 64 bits
  constexpr std::ptrdiff_t most_tens = 22;

  const char* p = text.data();
  const char* const end = p + text.size();
  // Signs come and go as the data do: nothing is to be guessed about them, so nothing branches.
  const bool negative = p != end && *p == '-';
  p += static_cast<int>(negative) | static_cast<int>(p != end && *p == '+');
  const auto with_sign = [negative](double value) {
    const std::uint64_t sign = std::uint64_t{negative} << 63;
    return std::optional(std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) | sign));
  };
  const std::string_view magnitude(p, static_cast<std::size_t>(end - p));

  std::uint64_t whole = 0;  // all digits, without the point
  const auto take_digits = [&] {
    const char* const first = p;
    for (; p != end && *p >= '0' && *p <= '9'; ++p) whole = 10 * whole + std::uint64_t(*p - '0');
    return p - first;
  };
  std::ptrdiff_t digits = take_digits();
  std::ptrdiff_t tens = 0;
  if (p != end && *p == '.') {
    ++p;
    tens = -take_digits();
    digits -= tens;
  }
  if (p != end && (*p == 'e' || *p == 'E') && digits > 0) {
    const std::string_view exponent(p + 1, static_cast<std::size_t>(end - p - 1));
    if (const auto given = parse_integer(exponent); given && std::abs(*given) < 1000) {
      tens += static_cast<std::ptrdiff_t>(*given);
      p = end;
    }
  }
  const bool exact = p == end && digits > 0 && digits <= most_digits && whole <= largest_whole &&
                     tens >= -most_tens && tens <= most_tens;
  if (exact) {
    const auto number = static_cast<double>(whole);
    return with_sign(tens < 0 ? number / powers[-tens] : number * powers[tens]);
  }
  if (magnitude.starts_with('-') || magnitude.starts_with('+')) return std::nullopt;
  const auto value = parse_number(magnitude);
  return value && std::isfinite(*value) ? with_sign(*value) : std::nullopt;
}

}  // namespace driftless
