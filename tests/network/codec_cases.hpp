#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

#include "driftless/base/random.hpp"
#include "driftless/network/codec.hpp"

// What codecs must give, written out number by number and bit by bit.
namespace driftless::testing {

// Bits, the lowest first, in bytes.
class BitList {
 public:
  void put(std::uint64_t value, int count) {
    for (int k = 0; k < count; ++k) bits_.push_back((value >> k & 1) != 0);
  }
  template <class T>
  void put_whole(T value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    put(bits, 8 * sizeof value);
  }
  void fill_byte() {
    while (bits_.size() % 8 != 0) bits_.push_back(false);
  }
  std::vector<std::byte> bytes() const {
    std::vector<std::byte> bytes((bits_.size() + 7) / 8);
    for (std::size_t k = 0; k < bits_.size(); ++k) {
      if (bits_[k]) bytes[k / 8] |= std::byte{1} << k % 8;
    }
    return bytes;
  }

 private:
  std::vector<bool> bits_;
};

template <class Real>
struct Letter {
  std::vector<std::byte> bytes;
  std::vector<Real> numbers;  // Q(v)
};

template <class Real>
using Row = std::vector<Real>;

template <class Real>
Letter<Real> written_int(const Row<Real>& v, int bits, std::size_t block) {
  const int q = (1 << (bits - 1)) - 1;
  const double greatest = std::numeric_limits<Real>::max();
  BitList exponents, codes;
  Letter<Real> letter;
  for (std::size_t first = 0; first < v.size(); first += block) {
    const std::size_t end = std::min(v.size(), first + block);
    double largest = 0;
    for (std::size_t j = first; j < end; ++j) largest = std::max<double>(largest, std::abs(v[j]));
    int e = -128;
    while (e < 127 && largest > std::ldexp(q, e)) ++e;
    exponents.put(static_cast<std::uint8_t>(e), 8);
    for (std::size_t j = first; j < end; ++j) {
      double code = e == -128 ? 0 : std::nearbyint(std::ldexp(static_cast<double>(v[j]), -e));
      code = std::clamp<double>(code, -q, q);
      codes.put(static_cast<std::uint64_t>(static_cast<std::int64_t>(code)), bits);
      letter.numbers.push_back(
          static_cast<Real>(std::clamp(std::ldexp(code, e), -greatest, greatest)));
    }
  }
  letter.bytes = exponents.bytes();
  for (const std::byte byte : codes.bytes()) letter.bytes.push_back(byte);
  return letter;
}

// Of the two neighbours in bfloat16 the nearer one, of equally near ones the even one.
inline std::uint16_t nearest_bf16(double value) {
  constexpr double greatest = std::numeric_limits<float>::max();
  const auto number = static_cast<float>(std::clamp(value, -greatest, greatest));
  const auto as_double = [](std::uint32_t upper) {
    return static_cast<double>(std::bit_cast<float>(upper << 16));
  };
  const std::uint32_t down = std::bit_cast<std::uint32_t>(number) >> 16;
  if ((down & 0x7FFF) == 0x7F7F) return static_cast<std::uint16_t>(down);  // infinity is next
  const double to_down = std::abs(number - as_double(down));
  const double to_up = std::abs(number - as_double(down + 1));
  const bool up = to_up < to_down || (to_up == to_down && down % 2 == 1);
  return static_cast<std::uint16_t>(down + (up ? 1 : 0));
}

template <class Real>
Letter<Real> written_bf16(const Row<Real>& v) {
  BitList bits;
  Letter<Real> letter;
  for (const Real value : v) {
    const std::uint16_t upper = nearest_bf16(value);
    bits.put(upper, 16);
    letter.numbers.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(upper) << 16));
  }
  letter.bytes = bits.bytes();
  return letter;
}

template <class Real>
Letter<Real> written_qsgd(const Row<Real>& v, int levels, bool unbiased, const Draw& draw) {
  double squares = 0;
  for (const Real value : v) squares += static_cast<double>(value) * static_cast<double>(value);
  const auto norm = static_cast<Real>(std::sqrt(squares));
  const auto d = static_cast<double>(v.size());
  const double omega = std::min(d / (levels * levels), std::sqrt(d) / levels);
  const auto unit = static_cast<Real>(norm / (levels * (unbiased ? 1 : 1 + omega)));
  int bits = 1;
  while (1 << bits < 2 * levels + 1) ++bits;

  BitList list;
  Letter<Real> letter;
  list.put_whole(norm);
  for (std::size_t j = 0; j < v.size(); ++j) {
    const double u = word(draw, Purpose::compression, j) * 0x1p-32;
    const double magnitude = std::abs(static_cast<double>(v[j]));
    const double x = norm == 0 ? 0 : std::floor(levels * magnitude / norm + u);
    const int level = static_cast<int>(std::min<double>(x, levels)) * (v[j] < 0 ? -1 : 1);
    list.put(static_cast<unsigned>(level + levels), bits);
    letter.numbers.push_back(static_cast<Real>(level) * unit);
  }
  letter.bytes = list.bytes();
  return letter;
}

template <class Real>
Letter<Real> written_sign(const Row<Real>& v) {
  double sum = 0;
  for (const Real value : v) sum += std::abs(static_cast<double>(value));
  const auto scale = static_cast<Real>(sum / static_cast<double>(v.size()));
  BitList bits;
  Letter<Real> letter;
  bits.put_whole(scale);
  for (const Real value : v) {
    bits.put(value < 0 ? 1 : 0, 1);
    letter.numbers.push_back(value < 0 ? -scale : scale);
  }
  letter.bytes = bits.bytes();
  return letter;
}

template <class Real>
void put_kept(const Row<Real>& v, const std::vector<std::size_t>& kept, BitList& bits,
              Letter<Real>& letter) {
  letter.numbers.assign(v.size(), 0);
  for (const std::size_t j : kept) {
    bits.put_whole(v[j]);
    letter.numbers[j] = v[j];
  }
  letter.bytes = bits.bytes();
}

template <class Real>
Letter<Real> written_top_k(const Row<Real>& v, std::size_t k) {
  std::vector<std::size_t> kept(v.size());
  std::iota(kept.begin(), kept.end(), 0);
  std::ranges::stable_sort(
      kept, [&](std::size_t a, std::size_t b) { return std::abs(v[a]) > std::abs(v[b]); });
  kept.resize(k);
  std::ranges::sort(kept);
  int index_bits = 0;
  while (std::size_t{1} << index_bits < v.size()) ++index_bits;

  BitList indices, bitmap;
  for (const std::size_t j : kept) indices.put(j, index_bits);
  for (std::size_t j = 0; j < v.size(); ++j) {
    bitmap.put(std::ranges::find(kept, j) != kept.end() ? 1 : 0, 1);
  }
  BitList& bits = bitmap.bytes().size() < indices.bytes().size() ? bitmap : indices;
  bits.fill_byte();
  Letter<Real> letter;
  put_kept(v, kept, bits, letter);
  return letter;
}

template <class Real>
Letter<Real> written_rand_k(const Row<Real>& v, std::size_t k, const Draw& draw) {
  std::vector<std::size_t> a(v.size());
  std::iota(a.begin(), a.end(), 0);
  for (std::size_t j = 0; j < k; ++j) {
    const auto rest = static_cast<std::uint32_t>(v.size() - j);
    std::swap(a[j], a[j + uniform_below(rest, draw, Purpose::compression, j)]);
  }
  a.resize(k);
  std::ranges::sort(a);
  BitList bits;
  Letter<Real> letter;
  put_kept(v, a, bits, letter);
  return letter;
}

// Sums of v and of its squares must be exact, since their order is left open here.
template <class Real>
Letter<Real> written_out(const CompressionOptions& options, const Row<Real>& v, const Draw& draw) {
  if (options.codec == "bf16") return written_bf16(v);
  if (options.codec == "qsgd") return written_qsgd(v, options.levels, options.unbiased, draw);
  if (options.codec == "sign") return written_sign(v);
  const auto k = static_cast<std::size_t>(std::ceil(options.keep * static_cast<double>(v.size())));
  if (options.codec == "top_k") return written_top_k(v, k);
  if (options.codec == "rand_k") return written_rand_k(v, k, draw);
  return written_int(v, options.codec.back() - '0', static_cast<std::size_t>(options.block));
}

// What the codec gives. Its bytes lie at an odd address, as they may in a letter of several rows.
template <class Real>
Letter<Real> packed(const CompressionOptions& options, const Row<Real>& v, const Draw& draw) {
  const auto codec = make_codec<Real>(options);
  const auto d = static_cast<Index>(v.size());
  std::vector<std::byte> bytes(codec->bytes(d) + 1, std::byte{0xA5});
  codec->encode(v.data(), d, draw, bytes.data() + 1);
  Letter<Real> letter{.bytes = {bytes.begin() + 1, bytes.end()}, .numbers = Row<Real>(v.size())};
  codec->add_decoded(bytes.data() + 1, d, draw, letter.numbers.data());
  return letter;
}

}  // namespace driftless::testing
