#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "driftless/base/types.hpp"

// Codes of a few bits each, side by side: the first code is in the lowest bits of the first byte.
namespace driftless::codec {

static_assert(std::endian::native == std::endian::little, "letters hold the bytes of memory");

constexpr std::uint64_t low_bits(int count) {
  return count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

// What `count` codes take.
inline Bytes bytes_of_codes(Index count, int bits) {
  return (static_cast<Bytes>(count) * static_cast<Bytes>(bits) + 7) / 8;
}

// Whether nothing is in the last byte beyond the codes.
inline bool rest_is_zero(const std::byte* in, Index count, int bits) {
  const auto used = static_cast<int>(static_cast<Bytes>(count) * static_cast<Bytes>(bits) % 8);
  return used == 0 || std::to_integer<int>(in[bytes_of_codes(count, bits) - 1]) >> used == 0;
}

class BitWriter {
 public:
  explicit BitWriter(std::byte* out) : out_(out) {}

  // The lowest `count` of `bits`, at most 64; those above must be 0.
  void put(std::uint64_t bits, int count) {
    held_ |= bits << used_;
    if (used_ + count < 64) {
      used_ += count;
      return;
    }
    std::memcpy(out_, &held_, 8);
    out_ += 8;
    held_ = used_ == 0 ? 0 : bits >> (64 - used_);
    used_ += count - 64;
  }

  // To be called once, at the end.
  void finish() { std::memcpy(out_, &held_, static_cast<std::size_t>(used_ + 7) / 8); }

 private:
  std::byte* out_;
  std::uint64_t held_ = 0;
  int used_ = 0;  // bits of `held_`, at most 63
};

class BitReader {
 public:
  BitReader(const std::byte* in, Bytes size) : in_(in), end_(in + size) {}

  // The next `count` bits, at most 64, which must be there.
  std::uint64_t take(int count) {
    std::uint64_t bits = held_;
    if (count > left_) {
      const std::uint64_t next = load();
      bits |= next << left_;
      const int taken = count - left_;
      held_ = taken == 64 ? 0 : next >> taken;
      left_ = 64 - taken;
    } else {
      held_ = count == 64 ? 0 : held_ >> count;
      left_ -= count;
    }
    return bits & low_bits(count);
  }

 private:
  // The next 8 bytes; zeros stand for those beyond the end.
  std::uint64_t load() {
    std::uint64_t bits = 0;
    const auto size = std::min<std::size_t>(8, static_cast<std::size_t>(end_ - in_));
    std::memcpy(&bits, in_, size);
    in_ += size;
    return bits;
  }

  const std::byte* in_;
  const std::byte* end_;
  std::uint64_t held_ = 0;
  int left_ = 0;  // bits of `held_`, at most 63
};

}  // namespace driftless::codec
