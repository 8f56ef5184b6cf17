#pragma once

#include <array>
#include <cstdint>

#include "driftless/base/draw.hpp"
#include "driftless/base/types.hpp"

namespace driftless {

// Block number `block` of the draw: four words at the price of one.
std::array<std::uint32_t, 4> words(const Draw& draw, Purpose purpose, std::uint32_t block);

// Word number `index` of the draw: word index % 4 of Philox block index / 4. For graphs and data,
// not for inner loops.
std::uint32_t word(const Draw& draw, Purpose purpose, std::uint64_t index);

// Uniform in (0, 1), with 52 random bits; made of words 2 index and 2 index + 1.
double uniform(const Draw& draw, Purpose purpose, std::uint64_t index);

// Makes a uniform number in 0 … bound − 1 of two random words: the upper half of their product with
// the bound. The bias is below bound / 2^64.
inline std::uint32_t below(std::uint32_t bound, std::uint64_t high, std::uint64_t low) {
  return static_cast<std::uint32_t>((high * bound + ((low * bound) >> 32)) >> 32);
}

// The same, made of words 2 index and 2 index + 1 of the draw.
std::uint32_t uniform_below(std::uint32_t bound, const Draw& draw, Purpose purpose,
                            std::uint64_t index);

// Standard normals come from the blocks of a draw by Box and Muller, in double precision whatever
// Real is. Block b has the words (w0, w1, w2, w3) and gives four numbers
//   rA cos aA, rA sin aA, rB cos aB, rB sin aB    with
//   rA = sqrt(-2 ln((w0 + 1/2) / 2^32)), aA = 2 pi w1 / 2^32; rB and aB alike from w2 and w3.
// They are laid out in tiles of 8 blocks and 32 coordinates, so that vectors of blocks become
// vectors of coordinates: coordinate 32 t + 8 k + l is number k of block 8 t + l. A shorter vector
// has a prefix of the numbers of a longer one, and every machine gives the same bits.
inline constexpr Index normal_tile_blocks = 8;

// out += deviation * N(0, I). The product is rounded to Real before it is added.
template <class Real>
void add_normals(Real* out, Index d, double deviation, const Draw& draw, Purpose purpose);

// out = deviation * N(0, I), with the same numbers.
template <class Real>
void fill_normals(Real* out, Index d, double deviation, const Draw& draw, Purpose purpose);

}  // namespace driftless
