#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "driftless/base/random.hpp"
#include "driftless/network/codec/kept.hpp"
#include "driftless/network/codec/kinds.hpp"

// The values of the k numbers, in ascending order of their indices, which both ends draw.
namespace driftless::codec {
namespace {

// The array a = 0 … d-1 of a shuffle that makes few swaps: only entries that have changed are held,
// in an open hash table.
class MostlyUnshuffled {
 public:
  explicit MostlyUnshuffled(Index changes)
      : slots_(std::bit_ceil(2 * static_cast<std::size_t>(changes))) {}

  std::uint32_t operator[](std::uint32_t place) const {
    const Slot& slot = slots_[slot_of(place)];
    return slot.used ? slot.value : place;
  }
  void set(std::uint32_t place, std::uint32_t value) {
    slots_[slot_of(place)] = {true, place, value};
  }

 private:
  struct Slot {
    bool used = false;
    std::uint32_t place = 0;
    std::uint32_t value = 0;
  };
  std::size_t slot_of(std::uint32_t place) const {
    std::size_t slot = place * std::size_t{0x9E3779B97F4A7C15} >> 32;
    for (;; ++slot) {
      slot &= slots_.size() - 1;
      if (!slots_[slot].used || slots_[slot].place == place) return slot;
    }
  }
  std::vector<Slot> slots_;
};

// The first k entries of a Fisher-Yates shuffle of 0 … d-1, ascending.
std::vector<std::uint32_t> draw_kept(Index d, Index k, const Draw& draw) {
  MostlyUnshuffled a(k);
  std::vector<std::uint32_t> kept(static_cast<std::size_t>(k));
  for (std::uint32_t j = 0; j < kept.size(); ++j) {
    const auto rest = static_cast<std::uint32_t>(d) - j;
    const std::uint32_t other = j + uniform_below(rest, draw, Purpose::compression, j);
    kept[j] = a[other];
    a.set(other, a[j]);  // a_j itself is not looked at again
  }
  std::ranges::sort(kept);
  return kept;
}

template <class Real>
class RandKCodec final : public Codec<Real> {
 public:
  explicit RandKCodec(double keep) : keep_(keep) {}

  Bytes bytes(Index d) const override {
    return static_cast<Bytes>(kept_of(keep_, d)) * sizeof(Real);
  }
  void encode(const Real* v, Index d, const Draw& draw, std::byte* out) const override {
    write_kept(v, draw_kept(d, kept_of(keep_, d), draw), out);
  }
  void add_decoded(const std::byte* in, Index d, const Draw& draw, Real* to) const override {
    add_kept(in, draw_kept(d, kept_of(keep_, d), draw), to);
  }

 private:
  double keep_;
};

}  // namespace

template <class Real>
CodecPtr<Real> make_rand_k(double keep) {
  return std::make_unique<RandKCodec<Real>>(keep);
}
template CodecPtr<float> make_rand_k(double);
template CodecPtr<double> make_rand_k(double);

}  // namespace driftless::codec
