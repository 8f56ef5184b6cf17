#include "driftless/network/codec/packed_codes.hpp"

#include <algorithm>
#include <cstring>

#include "driftless/network/codec/bits.hpp"

namespace driftless::codec {
namespace {

// Eight codes of a few bits: from one in each byte to side by side. Neighbours are brought together
// in pairs, then pairs of pairs.
template <int bits>
std::uint64_t gathered(std::uint64_t codes) {
  codes = (codes & 0x00FF00FF00FF00FF) | ((codes & 0xFF00FF00FF00FF00) >> (8 - bits));
  codes = (codes & 0x0000FFFF0000FFFF) | ((codes & 0xFFFF0000FFFF0000) >> (16 - 2 * bits));
  return (codes & 0x00000000FFFFFFFF) | (codes >> 32 << 4 * bits);
}

// The way back; bits above those of the codes are left out.
template <int bits>
std::uint64_t spread(std::uint64_t codes) {
  constexpr std::uint64_t pairs = ((1ULL << 2 * bits) - 1) * 0x0000000100000001;
  constexpr std::uint64_t singles = ((1ULL << bits) - 1) * 0x0001000100010001;
  codes = (codes & low_bits(4 * bits)) | (codes >> 4 * bits << 32);
  codes = (codes & pairs) | ((codes & pairs << 2 * bits) << (16 - 2 * bits));
  return (codes & singles) | ((codes & singles << bits) << (8 - bits));
}

template <int bits>
void pack(const std::uint8_t* codes, Index count, std::byte* out) {
  const auto eight_at = [&](Index j) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, codes + j, 8);
    return eight;
  };
  const auto size = static_cast<Index>(bytes_of_codes(count, bits));
  Index j = 0;
  Index place = 0;
  for (; place + 8 <= size && j + 8 <= count; j += 8, place += bits) {
    const std::uint64_t packed = gathered<bits>(eight_at(j));
    std::memcpy(out + place, &packed, 8);  // the next eight overwrite what is too much
  }
  for (; j < count; j += 8, place += bits) {
    const Index taken = std::min<Index>(8, count - j);
    const std::uint64_t packed =
        gathered<bits>(eight_at(j) & low_bits(static_cast<int>(8 * taken)));
    std::memcpy(out + place, &packed, bytes_of_codes(taken, bits));
  }
}

template <int bits>
void unpack(const std::byte* in, Index count, std::uint8_t* codes) {
  const auto size = static_cast<Index>(bytes_of_codes(count, bits));
  Index place = 0;
  for (Index j = 0; j < count; j += 8, place += bits) {
    std::uint64_t packed = 0;
    if (place + 8 <= size) {
      std::memcpy(&packed, in + place, 8);
    } else {
      std::memcpy(&packed, in + place, static_cast<std::size_t>(size - place));
    }
    const std::uint64_t eight = spread<bits>(packed);
    std::memcpy(codes + j, &eight, 8);
  }
}

}  // namespace

void pack_codes(const std::uint8_t* codes, Index count, int bits, std::byte* out) {
  constexpr decltype(&pack<2>) by_bits[] = {pack<2>, pack<3>, pack<4>, pack<5>,
                                            pack<6>, pack<7>, pack<8>};
  by_bits[bits - 2](codes, count, out);
}

void unpack_codes(const std::byte* in, Index count, int bits, std::uint8_t* codes) {
  constexpr decltype(&unpack<2>) by_bits[] = {unpack<2>, unpack<3>, unpack<4>, unpack<5>,
                                              unpack<6>, unpack<7>, unpack<8>};
  by_bits[bits - 2](in, count, codes);
}

}  // namespace driftless::codec
