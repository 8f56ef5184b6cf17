#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "driftless/network/codec/bits.hpp"
#include "driftless/network/codec/kept.hpp"
#include "driftless/network/codec/kinds.hpp"

// Which k numbers these are, as ascending indices of ceil(log2 d) bits or as a bitmap where that is
// smaller; then their values.
namespace driftless::codec {
namespace {

int index_bits(Index d) { return std::bit_width(static_cast<std::uint64_t>(d - 1)); }

bool bitmap_is_smaller(Index d, Index k) {
  return bytes_of_codes(d, 1) < bytes_of_codes(k, index_bits(d));
}

// The magnitude as an integer of the same order.
template <class Real>
auto magnitude_bits(Real value) {
  using Word = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;
  return static_cast<Word>(std::bit_cast<Word>(value) << 1);
}

template <class Real>
using Magnitude = decltype(magnitude_bits(Real{}));

// The magnitudes among which the k-th largest is, and which of these it is, from 0: they share
// their upper bits with it.
template <class Real>
struct Shortlist {
  std::vector<Magnitude<Real>> magnitudes;
  Index rank;
};

template <class Real>
Shortlist<Real> shortlist(const Real* v, Index d, Index k) {
  constexpr int shift = 8 * sizeof(Real) - 12;  // of a double: all of the exponent
  std::vector<std::uint32_t> counts(std::size_t{1} << 12);
  for (Index j = 0; j < d; ++j) ++counts[magnitude_bits(v[j]) >> shift];
  Index rank = k - 1;
  std::size_t bin = counts.size() - 1;
  for (; rank >= counts[bin]; --bin) rank -= counts[bin];
  Shortlist<Real> result{.magnitudes = {}, .rank = rank};
  result.magnitudes.reserve(counts[bin]);
  for (Index j = 0; j < d; ++j) {
    const auto magnitude = magnitude_bits(v[j]);
    if (magnitude >> shift == bin) result.magnitudes.push_back(magnitude);
  }
  return result;
}

template <class Real>
Magnitude<Real> kth_largest(const Real* v, Index d, Index k) {
  auto [magnitudes, rank] = shortlist(v, d, k);
  const auto at = magnitudes.begin() + rank;
  std::ranges::nth_element(magnitudes, at, std::greater());
  return *at;
}

template <class Real>
std::vector<std::uint32_t> largest(const Real* v, Index d, Index k) {
  const auto least = kth_largest(v, d, k);
  std::vector<std::uint32_t> kept;
  kept.reserve(static_cast<std::size_t>(k));
  Index above = 0;
  for (Index j = 0; j < d; ++j) above += magnitude_bits(v[j]) > least;
  Index equals = k - above;
  for (Index j = 0; j < d; ++j) {
    const auto magnitude = magnitude_bits(v[j]);
    if (magnitude < least || (magnitude == least && equals-- <= 0)) continue;
    kept.push_back(static_cast<std::uint32_t>(j));
  }
  return kept;
}

void write_places(const std::vector<std::uint32_t>& kept, Index d, std::byte* out) {
  const auto k = static_cast<Index>(kept.size());
  if (bitmap_is_smaller(d, k)) {
    std::fill_n(out, bytes_of_codes(d, 1), std::byte{0});
    for (const std::uint32_t j : kept) out[j / 8] |= std::byte{1} << j % 8;
    return;
  }
  BitWriter writer(out);
  for (const std::uint32_t j : kept) writer.put(j, index_bits(d));
  writer.finish();
}

std::vector<std::uint32_t> read_bitmap(const std::byte* in, Index d, Index k) {
  std::vector<std::uint32_t> kept;
  kept.reserve(static_cast<std::size_t>(k));
  BitReader reader(in, bytes_of_codes(d, 1));
  for (Index first = 0; first < d; first += 64) {
    const int count = static_cast<int>(std::min<Index>(64, d - first));
    for (std::uint64_t rest = reader.take(count); rest != 0; rest &= rest - 1) {
      kept.push_back(static_cast<std::uint32_t>(first + std::countr_zero(rest)));
    }
  }
  if (static_cast<Index>(kept.size()) != k || !rest_is_zero(in, d, 1)) {
    throw DataError("a letter of top_k: {} of {} numbers, expected {}", kept.size(), d, k);
  }
  return kept;
}

std::vector<std::uint32_t> read_indices(const std::byte* in, Index d, Index k) {
  std::vector<std::uint32_t> kept(static_cast<std::size_t>(k));
  BitReader reader(in, bytes_of_codes(k, index_bits(d)));
  Index before = -1;
  for (std::uint32_t& j : kept) {
    j = static_cast<std::uint32_t>(reader.take(index_bits(d)));
    if (j >= d || j <= before) {
      throw DataError("a letter of top_k: number {} of {} after number {}", j, d, before);
    }
    before = j;
  }
  if (!rest_is_zero(in, k, index_bits(d))) {
    throw DataError("a letter of top_k: bits beyond its indices");
  }
  return kept;
}

template <class Real>
class TopKCodec final : public Codec<Real> {
 public:
  explicit TopKCodec(double keep) : keep_(keep) {}

  Bytes bytes(Index d) const override {
    return bytes_of_places(d) + static_cast<Bytes>(kept_of(keep_, d)) * sizeof(Real);
  }

  void encode(const Real* v, Index d, const Draw&, std::byte* out) const override {
    const std::vector<std::uint32_t> kept = largest(v, d, kept_of(keep_, d));
    write_places(kept, d, out);
    write_kept(v, kept, out + bytes_of_places(d));
  }

  void add_decoded(const std::byte* in, Index d, const Draw&, Real* to) const override {
    const Index k = kept_of(keep_, d);
    const auto kept = bitmap_is_smaller(d, k) ? read_bitmap(in, d, k) : read_indices(in, d, k);
    add_kept(in + bytes_of_places(d), kept, to);
  }

 private:
  Bytes bytes_of_places(Index d) const {
    return std::min(bytes_of_codes(d, 1), bytes_of_codes(kept_of(keep_, d), index_bits(d)));
  }

  double keep_;
};

}  // namespace

template <class Real>
CodecPtr<Real> make_top_k(double keep) {
  return std::make_unique<TopKCodec<Real>>(keep);
}
template CodecPtr<float> make_top_k(double);
template CodecPtr<double> make_top_k(double);

}  // namespace driftless::codec
