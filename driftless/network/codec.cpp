#include "driftless/network/codec.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/base/error.hpp"
#include "driftless/network/codec/kinds.hpp"

namespace driftless {
namespace {

const std::vector<std::string> int_codecs{"int3", "int4", "int5", "int6", "int7", "int8"};

bool is_int_codec(const std::string& name) {
  return std::ranges::find(int_codecs, name) != int_codecs.end();
}

void check_compression(const CompressionOptions& options) {
  const auto& all = options_of<CompressionOptions>();
  for (std::size_t k = 0; k < all.list().size(); ++k) {
    if (const auto value = all.value_in(k, options)) throw_if_faulty(all.list()[k], *value);
  }
}

}  // namespace

void CompressionOptions::describe(OptionsOf<CompressionOptions>& options) {
  using C = CompressionOptions;
  std::vector<std::string> codecs{"none"};
  codecs.insert(codecs.end(), int_codecs.begin(), int_codecs.end());
  codecs.insert(codecs.end(), {"bf16", "qsgd", "sign", "top_k", "rand_k"});
  options.add("codec", &C::codec, "how letters are packed; int4 is the one to try first")
      .one_of(codecs);
  options.add("block", &C::block, "numbers that share an exponent")
      .at_least(1)
      .only_for("codec", int_codecs);
  options.add("levels", &C::levels, "s, the levels between zero and the norm")
      .at_least(1)
      .at_most(127)
      .only_for("codec", {"qsgd"});
  options.add("unbiased", &C::unbiased, "not scaled down to make letters settle")
      .only_for("codec", {"qsgd"});
  options.add("keep", &C::keep, "the share of the numbers that is sent")
      .above(0)
      .at_most(1)
      .only_for("codec", {"top_k", "rand_k"});
  codecs.erase(codecs.begin());
  options
      .add(
          "rate", &C::rate,
          "how far a mix follows the letters (default: 1, or less where letters say little: top_k "
          "twice keep, rand_k keep, qsgd 1.5/ω where ω = min(d/s², √d/s) is above 2, unbiased qsgd "
          "0.2 from 0.5 and 0.05 from 1.8 on)")
      .above(0)
      .at_most(1)
      .only_for("codec", codecs);
}

template <class Real>
std::unique_ptr<Codec<Real>> make_codec(const CompressionOptions& options) {
  check_compression(options);
  if (is_int_codec(options.codec)) {
    return codec::make_int<Real>(options.codec.back() - '0', options.block);
  }
  if (options.codec == "bf16") return codec::make_bf16<Real>();
  if (options.codec == "qsgd") return codec::make_qsgd<Real>(options.levels, options.unbiased);
  if (options.codec == "sign") return codec::make_sign<Real>();
  if (options.codec == "top_k") return codec::make_top_k<Real>(options.keep);
  if (options.codec == "rand_k") return codec::make_rand_k<Real>(options.keep);
  return nullptr;
}
template std::unique_ptr<Codec<float>> make_codec(const CompressionOptions&);
template std::unique_ptr<Codec<double>> make_codec(const CompressionOptions&);

// Found by trial on rings and complete graphs of ten nodes with local steps: with d = 50 for keep
// from 0.02 to 1, with d from 50 to 20,000 for levels from 1 to 127.
double default_rate(const CompressionOptions& options, Index d) {
  if (options.codec == "top_k") return std::min(1.0, 2 * options.keep);
  if (options.codec == "rand_k") return options.keep;
  if (options.codec != "qsgd") return 1;
  const double omega = qsgd_variance(options.levels, d);
  if (!options.unbiased) return omega > 2 ? 1.5 / omega : 1;
  if (omega > 1.8) return 0.05;
  return omega > 0.5 ? 0.2 : 1;
}

bool letters_settle(const CompressionOptions& options, Index d) {
  return options.codec != "qsgd" || !options.unbiased || qsgd_variance(options.levels, d) <= 2;
}

bool keeps_most_of_a_number(const CompressionOptions& options, Index d) {
  if (options.codec != "qsgd") return is_int_codec(options.codec) || options.codec == "bf16";
  return options.unbiased && options.levels >= 16 && qsgd_variance(options.levels, d) <= 0.5;
}

double qsgd_variance(int levels, Index d) {
  const auto s = static_cast<double>(levels);
  const auto count = static_cast<double>(d);
  return std::min(count / (s * s), std::sqrt(count) / s);
}

}  // namespace driftless
