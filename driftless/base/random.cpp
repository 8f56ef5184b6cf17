#include "driftless/base/random.hpp"

#include <Random123/philox.h>

namespace driftless {

std::uint32_t word(const Draw& draw, Purpose purpose, std::uint64_t index) {
  const PhiloxKey key = philox_key(draw);
  const PhiloxCounter c = philox_counter(draw, purpose, static_cast<std::uint32_t>(index / 4));
  return r123::Philox4x32()({{c[0], c[1], c[2], c[3]}}, {{key[0], key[1]}})[index % 4];
}

double uniform(const Draw& draw, Purpose purpose, std::uint64_t index) {
  const std::uint64_t high = word(draw, purpose, 2 * index);
  const std::uint64_t low = word(draw, purpose, 2 * index + 1);
  return (static_cast<double>(((high << 32) | low) >> 12) + 0.5) * 0x1p-52;
}

}  // namespace driftless
