// How fast codecs pack rows and add them up again, for bench/run: a line for each codec, type and
// length, with GB of numbers a second of encode, of add_decoded and of a memcpy of the same row.
#include <fmt/format.h>

#include <cstring>
#include <string>
#include <vector>

#include "bench/measure.hpp"
#include "driftless/base/random.hpp"
#include "driftless/network/codec.hpp"

namespace {

using namespace driftless;

constexpr int turns = 21;

// Of `work`, in a second; it is repeated until the time can be measured.
template <class Work>
double gigabytes(Bytes bytes, const Work& work) {
  const auto repeats = static_cast<int>(1 + 2'000'000 / bytes);
  const double time = bench::seconds([&] {
    for (int r = 0; r < repeats; ++r) work();
  });
  return 1e-9 * static_cast<double>(bytes) * repeats / time;
}

template <class Real>
void measure(const CompressionOptions& options, Index d) {
  const auto codec = make_codec<Real>(options);
  const Draw draw{.seed = 1};
  const auto count = static_cast<std::size_t>(d);
  std::vector<Real> row(count), copy(count), sum(count);
  std::vector<std::byte> letter(codec->bytes(d));
  fill_normals(row.data(), d, 1.0, draw, Purpose::problem_data);
  const Bytes bytes = count * sizeof(Real);

  std::vector<double> encode, decode, memcpy;
  for (int turn = 0; turn < turns; ++turn) {
    encode.push_back(gigabytes(bytes, [&] { codec->encode(row.data(), d, draw, letter.data()); }));
    decode.push_back(
        gigabytes(bytes, [&] { codec->add_decoded(letter.data(), d, draw, sum.data()); }));
    memcpy.push_back(gigabytes(bytes, [&] { std::memcpy(copy.data(), row.data(), bytes); }));
  }
  fmt::print("{} {} {} {:.3f} {:.3f} {:.3f}\n", options.codec,
             sizeof(Real) == sizeof(float) ? "float" : "double", d, bench::median(encode),
             bench::median(decode), bench::median(memcpy));
}

}  // namespace

int main(int argc, char** argv) try {
  std::vector<std::string> codecs{"int4", "int8", "bf16", "qsgd", "sign", "top_k", "rand_k"};
  if (argc > 1) codecs.assign(argv + 1, argv + argc);
  for (const std::string& codec : codecs) {
    for (const Index d : {10'000, 1'000'000}) {
      measure<double>({.codec = codec}, d);
      measure<float>({.codec = codec}, d);
    }
  }
} catch (const std::exception& error) {
  fmt::print(stderr, "driftless_codec_bench: {}\n", error.what());
  return 1;
}
