#include "driftless/base/random.hpp"

#include <Random123/philox.h>

namespace driftless {

std::array<std::uint32_t, 4> words(const Draw& draw, Purpose purpose, std::uint32_t block) {
  const PhiloxKey key = philox_key(draw);
  const PhiloxCounter c = philox_counter(draw, purpose, block);
  const auto four = r123::Philox4x32()({{c[0], c[1], c[2], c[3]}}, {{key[0], key[1]}});
  return {four[0], four[1], four[2], four[3]};
}

std::uint32_t word(const Draw& draw, Purpose purpose, std::uint64_t index) {
  return words(draw, purpose, static_cast<std::uint32_t>(index / 4))[index % 4];
}

double uniform(const Draw& draw, Purpose purpose, std::uint64_t index) {
  const auto block = words(draw, purpose, static_cast<std::uint32_t>(index / 2));
  const std::uint64_t high = block[index % 2 == 0 ? 0 : 2];
  const std::uint64_t low = block[index % 2 == 0 ? 1 : 3];
  return (static_cast<double>(((high << 32) | low) >> 12) + 0.5) * 0x1p-52;
}

std::uint32_t uniform_below(std::uint32_t bound, const Draw& draw, Purpose purpose,
                            std::uint64_t index) {
  const auto block = words(draw, purpose, static_cast<std::uint32_t>(index / 2));
  return index % 2 == 0 ? below(bound, block[0], block[1]) : below(bound, block[2], block[3]);
}

}  // namespace driftless
