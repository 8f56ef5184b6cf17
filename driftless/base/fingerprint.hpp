#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace driftless {

// Tells whether two processes hold the same bytes: FNV-1a over all that is added, in order.
class Fingerprint {
 public:
  void add(std::string_view text) {
    for (const char byte : text) {
      value_ = (value_ ^ static_cast<unsigned char>(byte)) * 1099511628211ULL;
    }
  }
  // The numbers of a vector, a span or a matrix.
  template <class Numbers>
  requires std::is_arithmetic_v<std::remove_cvref_t<decltype(*std::declval<Numbers>().data())>>
  void add_numbers(const Numbers& numbers) {
    add({reinterpret_cast<const char*>(numbers.data()),
         static_cast<std::size_t>(numbers.size()) * sizeof(*numbers.data())});
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 14695981039346656037ULL;
};

}  // namespace driftless
