#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "driftless/base/draw.hpp"
#include "driftless/base/option.hpp"
#include "driftless/base/types.hpp"

namespace driftless {

// [compression] of a config: how letters are packed.
struct CompressionOptions {
  std::string codec = "none";    // "none": letters are whole
  int block = 64;                // int3 … int8: numbers that share an exponent
  int levels = 4;                // qsgd: s
  bool unbiased = false;         // qsgd: its mean is v; else it is scaled by 1/(1 + ω)
  double keep = 0.1;             // top_k, rand_k: k/d
  std::optional<double> rate{};  // γ; unset: default_rate
  bool operator==(const CompressionOptions&) const = default;

  static void describe(OptionsOf<CompressionOptions>& options);
};

// Packs a row v of d numbers into fewer bytes, which stand for Q(v). Codecs differ in Q:
//
//   int3 … int8  2^e rint(v / 2^e) in blocks, e the least with max|v| <= q 2^e, q = 2^(bits-1) - 1
//   bf16         to float, then to bfloat16, both to nearest even
//   qsgd         sgn(v) floor(s|v| / |v|_2 + u) |v|_2 / (s tau), u uniform (Alistarh et al., 2017)
//   sign         sgn(v) |v|_1 / d
//   top_k        the k numbers of largest magnitude, of equals the first; 0 for the others
//   rand_k       k numbers that are drawn; 0 for the others
//
// Every machine gives the same bytes and the same Q(v). A row of zeros gives zeros. What is too
// large to be said is cut off, so that Q(v) is always finite. A codec has no state: one serves all
// threads.
template <class Real>
class Codec : public Interface {
 public:
  // Of an encoded row of d numbers. d is at least 1, here and below.
  virtual Bytes bytes(Index d) const = 0;

  // What is drawn is of the purpose `compression`. Where `v` is not finite, Q(v) is any number.
  virtual void encode(const Real* v, Index d, const Draw& draw, std::byte* out) const = 0;

  // to += Q(v), from the bytes(d) bytes and the draw of `encode`. Throws DataError for bytes that
  // are none of its bytes; some numbers may then have been added. May not overlap.
  virtual void add_decoded(const std::byte* in, Index d, const Draw& draw, Real* to) const = 0;
};

// Null for "none". Throws ConfigError for options out of bounds.
template <class Real>
std::unique_ptr<Codec<Real>> make_codec(const CompressionOptions& options);

// A rate γ that K-GT, GT and D-SGD bear with rows of d numbers: 1 for codecs that keep something of
// every number; less for those that leave numbers as they were for rounds.
double default_rate(const CompressionOptions& options, Index d);

// False for unbiased qsgd whose letters are off by more than they say: no rate makes it stable.
bool letters_settle(const CompressionOptions& options, Index d);

// Whether Q(v)_i is above v_i / 2, so that LED, D² and Exact Diffusion bear the codec: they sum up
// what was left out of the letters before. Without d: whether it is so for some rows.
bool keeps_most_of_a_number(const CompressionOptions& options, Index d = 1);

// omega of qsgd, min(d/s², √d/s): the mean of |Q(v) - v|² is at most omega |v|², if unbiased.
double qsgd_variance(int levels, Index d);

}  // namespace driftless
