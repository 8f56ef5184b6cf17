#include "driftless/data/idx.hpp"

#include <algorithm>

#include "tests/fuzz/fuzz.hpp"

using namespace driftless;

namespace {

struct Pair {
  Pair() {
    folder.link("train-images-idx3-ubyte", images);
    folder.link("train-labels-idx1-ubyte", labels);
  }
  testing::MemoryFile images;
  testing::MemoryFile labels;
  testing::MemoryFolder folder;
};

}  // namespace

// The first two bytes say how many of the others are the file of images; the rest is that of
// labels. Each may be gzip.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Pair files;
  const std::string_view text = testing::text_of(data, size);
  if (size < 2) return 0;
  const std::size_t cut = std::min<std::size_t>(data[0] + 256U * data[1], size - 2);
  files.images.hold(text.substr(2, cut));
  files.labels.hold(text.substr(2 + cut));
  return testing::accept_or_refuse([&] { read_idx_folder(files.folder.path()); });
}
