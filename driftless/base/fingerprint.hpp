#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <utility>

namespace driftless {

// Tells whether two processes hold the same bytes: FNV-1a over all that is added, in order, eight
// bytes at a time.
class Fingerprint {
 public:
  void add(std::string_view text) {
    mix(text.size());  // so that "ab", "c" is not "a", "bc"
    while (!text.empty()) {
      const std::size_t size = std::min(text.size(), sizeof(std::uint64_t));
      std::uint64_t word = 0;
      std::memcpy(&word, text.data(), size);
      mix(word);
      text.remove_prefix(size);
    }
  }
  // The numbers of a vector, a span or a matrix.
  template <class Numbers>
  requires std::is_arithmetic_v<std::remove_cvref_t<decltype(*std::declval<Numbers>().data())>>
  void add_numbers(const Numbers& numbers) {
    add({reinterpret_cast<const char*>(numbers.data()),
         static_cast<std::size_t>(numbers.size()) * sizeof(*numbers.data())});
  }
  template <class Number>
  requires std::is_arithmetic_v<Number>
  void add_number(Number number) { add({reinterpret_cast<const char*>(&number), sizeof number}); }
  std::uint64_t value() const { return value_; }

 private:
  // Multiplying carries upwards only: the shift brings the high bits of a word back down.
  void mix(std::uint64_t word) {
    value_ = (value_ ^ word) * 1099511628211ULL;
    value_ ^= value_ >> 32;
  }

  std::uint64_t value_ = 14695981039346656037ULL;
};

}  // namespace driftless
