#include "driftless/data/idx.hpp"

#include <algorithm>

#include "tests/fuzz/fuzz.hpp"

using namespace driftless;

namespace {

// A folder of images and labels that lie in memory.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "driftless-fuzz-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
    std::filesystem::create_symlink(images.path(), path_ / "train-images-idx3-ubyte");
    std::filesystem::create_symlink(labels.path(), path_ / "train-labels-idx1-ubyte");
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  testing::MemoryFile images;
  testing::MemoryFile labels;

 private:
  std::filesystem::path path_;
};

}  // namespace

// The first two bytes say how many of the others are the file of images; the rest is that of
// labels. Each may be gzip.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Folder folder;
  const std::string_view text = testing::text_of(data, size);
  if (size < 2) return 0;
  const std::size_t cut = std::min<std::size_t>(data[0] + 256U * data[1], size - 2);
  folder.images.hold(text.substr(2, cut));
  folder.labels.hold(text.substr(2 + cut));
  return testing::accept_or_refuse([&] { read_idx_folder(folder.path()); });
}
