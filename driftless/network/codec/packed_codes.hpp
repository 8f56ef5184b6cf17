#pragma once

#include <cstddef>
#include <cstdint>

#include "driftless/base/types.hpp"

// Codes of 2 to 8 bits between bytes of their own and the bytes of a letter, where they are side by
// side. Eight codes fill as many bytes as a code has bits, so a row can be packed by any multiple
// of eight. `codes` must have room up to such a multiple.
namespace driftless::codec {

void pack_codes(const std::uint8_t* codes, Index count, int bits, std::byte* out);
void unpack_codes(const std::byte* in, Index count, int bits, std::uint8_t* codes);

}  // namespace driftless::codec
