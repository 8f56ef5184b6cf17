#include "driftless/data/idx.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <string_view>
#include <utility>

#include "driftless/base/byte_reader.hpp"
#include "driftless/base/error.hpp"
#include "driftless/base/fingerprint.hpp"
#include "driftless/base/function_ref.hpp"
#include "driftless/data/labels.hpp"

namespace driftless {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t largest = std::numeric_limits<std::int32_t>::max();

// An empty path when none is there.
fs::path find_file(const fs::path& folder, std::string_view set, std::string_view ending) {
  for (const char* separator : {"-", "."}) {
    for (const char* packing : {"", ".gz"}) {
      fs::path file = folder / fmt::format("{}{}{}{}", set, separator, ending, packing);
      if (fs::exists(file)) return file;
    }
  }
  return {};
}

// One array of bytes behind a header: two zeros, the type (8 for bytes), the number of dimensions,
// and each dimension in four bytes, the highest first.
class IdxFile {
 public:
  IdxFile(const fs::path& path, int dimensions) : reader_(path) {
    constexpr std::uint32_t type_of_bytes = 8;
    const std::uint32_t expected = (type_of_bytes << 8) | static_cast<std::uint32_t>(dimensions);
    const std::uint32_t magic = number("magic number");
    if (magic != expected) {
      throw DataError("{}: found the magic number {:#010x}, expected {:#010x}: {}",
                      reader_.place(0), magic, expected,
                      dimensions == 3 ? "images (idx3-ubyte)" : "labels (idx1-ubyte)");
    }
    for (int k = 0; k < dimensions; ++k) shape_.push_back(dimension(k));
    std::uint64_t area = 1;
    for (int k = 1; k < dimensions; ++k) area *= shape_[k];
    if (area > largest) {
      throw DataError("{}: images of {} x {} pixels, expected at most {} pixels", reader_.place(8),
                      shape_[1], shape_[2], largest);
    }
    size_ = shape_[0] * area;
    if (!reader_.packed() && reader_.file_size() != begin() + size_) {
      throw DataError("{}: {} take {} bytes with the header, but the file has {}", reader_.place(4),
                      claim(), begin() + size_, reader_.file_size());
    }
    if (begin() + size_ > reader_.most_bytes()) {
      throw DataError("{}: {} take {} bytes, which {} packed bytes do not hold", reader_.place(4),
                      claim(), begin() + size_, reader_.file_size());
    }
  }

  // Hands the bytes of one sample after the other to `take`, in pieces as they come: no memory is
  // taken on the word of the header.
  void read(FunctionRef<void(std::size_t sample, std::span<const std::uint8_t> piece)> take) {
    constexpr std::size_t chunk = std::size_t{1} << 20;
    const std::uint64_t area = size_ / shape_[0];
    std::vector<std::uint8_t> bytes(std::min<std::uint64_t>(chunk, size_));
    for (std::uint64_t had = 0; had < size_;) {
      const std::size_t wanted = std::min<std::uint64_t>(chunk, size_ - had);
      const std::size_t got = reader_.read(reinterpret_cast<char*>(bytes.data()), wanted);
      if (got < wanted) {
        throw DataError("{}: the data end, expected {} bytes more for {}",
                        reader_.place(begin() + had + got), size_ - had - got, claim());
      }
      for (std::span<const std::uint8_t> rest(bytes.data(), wanted); !rest.empty();) {
        const std::uint64_t of_sample = std::min<std::uint64_t>(area - had % area, rest.size());
        take(had / area, rest.first(of_sample));
        rest = rest.subspan(of_sample);
        had += of_sample;
      }
    }
    char more = 0;
    if (reader_.read(&more, 1) != 0) {
      throw DataError("{}: the data go on, expected their end after {}",
                      reader_.place(begin() + size_), claim());
    }
  }

  std::uint64_t begin() const { return 4 + 4 * shape_.size(); }  // the first byte of the array
  std::uint64_t extent(int k) const { return shape_[k]; }
  const ByteReader& reader() const { return reader_; }

 private:
  std::uint32_t number(std::string_view name) {
    std::array<char, 4> bytes{};
    const std::size_t got = reader_.read(bytes.data(), bytes.size());
    if (got < bytes.size()) {
      throw DataError("{}: the file ends within the {}", reader_.place(position_ + got), name);
    }
    position_ += bytes.size();
    std::uint32_t value = 0;
    for (const char byte : bytes) value = (value << 8) | static_cast<std::uint8_t>(byte);
    return value;
  }

  std::uint64_t dimension(int k) {
    constexpr std::array<std::string_view, 3> names = {"number of samples", "number of rows",
                                                       "number of columns"};
    const std::uint32_t value = number(names[k]);
    if (value < 1 || value > largest) {
      throw DataError("{}: found {} as the {}, expected 1 to {}", reader_.place(position_ - 4),
                      value, names[k], largest);
    }
    return value;
  }

  std::string claim() const {
    return shape_.size() == 1
               ? fmt::format("{} labels", shape_[0])
               : fmt::format("{} images of {} x {}", shape_[0], shape_[1], shape_[2]);
  }

  ByteReader reader_;
  std::uint64_t position_ = 0;
  std::vector<std::uint64_t> shape_;
  std::uint64_t size_ = 0;
};

struct Pair {
  fs::path images;
  fs::path labels;
};

// How much of a pair must be there.
enum class Need { nothing, images, both };

Pair find_pair(const fs::path& folder, std::string_view set, Need need) {
  Pair pair{find_file(folder, fmt::format("{}-images", set), "idx3-ubyte"),
            find_file(folder, fmt::format("{}-labels", set), "idx1-ubyte")};
  const bool half = pair.images.empty() != pair.labels.empty() && need != Need::images;
  if (half || (need != Need::nothing && pair.images.empty())) {
    throw DataError("{}: holds no {}-{}-ubyte, nor one with \".\" before idx or .gz",
                    folder.string(), set, pair.images.empty() ? "images-idx3" : "labels-idx1");
  }
  return pair;
}

void read_labels(const Pair& pair, const IdxFile& images, LabelGatherer& labels) {
  IdxFile file(pair.labels, 1);
  if (images.extent(0) != file.extent(0)) {
    throw DataError("{}: found {} labels, expected {}, as many as {} has images",
                    file.reader().place(4), file.extent(0), images.extent(0),
                    pair.images.filename().string());
  }
  file.read([&](std::size_t sample, std::span<const std::uint8_t> label) {
    labels.add(label.front(), static_cast<std::int64_t>(file.begin() + sample));
  });
}

void check_like(const Pair& pair, const IdxFile& images, const Dataset& like) {
  const Images* expected = like.images();
  if (expected == nullptr) {
    throw DataError("{}: these are images, expected samples that are none as in training",
                    pair.images.string());
  }
  if (std::cmp_not_equal(images.extent(1), expected->rows) ||
      std::cmp_not_equal(images.extent(2), expected->columns)) {
    throw DataError("{}: byte 8: found images of {} x {}, expected {} x {} as in training",
                    pair.images.string(), images.extent(1), images.extent(2), expected->rows,
                    expected->columns);
  }
}

// Reads the images of the dataset, whose labels are known, and adds all of them to its fingerprint.
void read_images(IdxFile& images, const std::vector<bool>& chosen, const Dataset* like,
                 Dataset& data) {
  Images kept{.rows = static_cast<int>(images.extent(1)),
              .columns = static_cast<int>(images.extent(2))};
  SampleId place = 0;
  for (const bool keep : chosen) kept.places.push_back(keep ? place++ : -1);
  Greys greys{};
  Fingerprint all;
  all.add_number(data.fingerprint);
  images.read([&](std::size_t sample, std::span<const std::uint8_t> piece) {
    for (const std::uint8_t pixel : piece) ++greys[pixel];
    all.add_numbers(piece);
    if (chosen.empty() || chosen[sample]) {
      kept.pixels.insert(kept.pixels.end(), piece.begin(), piece.end());
    }
  });
  if (like != nullptr) {
    kept.mean = like->images()->mean;
    kept.deviation = like->images()->deviation;
  } else {
    normalise(kept, greys);
  }
  data.inputs = std::move(kept);
  data.fingerprint = all.value();
}

// Without `like`, the training set, a set has its own classes and its own normalisation.
Dataset read_pair(const Pair& pair, const ReadOptions& options, const Dataset* like,
                  const ChooseSamples& choose = {}) {
  if (options.label_type == LabelType::numbers) {
    throw DataError(
        "{}: the labels of IDX files are classes, and a regression learns numbers; choose "
        "problem.kind = \"softmax\", \"mlp\" or \"cnn\"",
        pair.labels.string());
  }
  IdxFile images(pair.images, 3);
  if (like != nullptr) check_like(pair, images, *like);
  LabelGatherer labels(options, like, [&](std::int64_t byte) {
    return fmt::format("{}: byte {}", pair.labels.string(), byte);
  });
  if (options.label_type == LabelType::classes) {
    read_labels(pair, images, labels);
  } else {
    for (std::uint64_t k = 0; k < images.extent(0); ++k) labels.add("", 0);
  }
  Dataset data{.features = static_cast<Index>(images.extent(1) * images.extent(2))};
  labels.hand_over(data, {});
  read_images(images, choose ? choose(data) : std::vector<bool>(), like, data);
  return data;
}

}  // namespace

void normalise(Images& images, const Greys& greys) {
  double count = 0;
  double sum = 0;
  double squares = 0;
  for (std::size_t value = 0; value < greys.size(); ++value) {
    count += static_cast<double>(greys[value]);
    sum += static_cast<double>(greys[value] * value);
    squares += static_cast<double>(greys[value] * value * value);
  }
  const auto to_four_decimals = [](double value) { return std::round(value * 1e4) / 1e4; };
  const double mean = sum / count;
  const double variance = std::max(0.0, squares / count - mean * mean);
  images.mean = to_four_decimals(mean / 255);
  images.deviation = to_four_decimals(std::sqrt(variance) / 255);
  if (images.deviation == 0) images.deviation = 1;
}

bool holds_idx(const fs::path& folder) {
  return !find_file(folder, "train-images", "idx3-ubyte").empty();
}

std::vector<fs::path> idx_files(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const char* set : {"train", "t10k"}) {
    const Pair pair = find_pair(folder, set, Need::nothing);
    for (const fs::path& file : {pair.images, pair.labels})
      if (!file.empty()) files.push_back(file);
  }
  return files;
}

LabelledData read_idx_folder(const fs::path& folder, const ReadOptions& options,
                             const ChooseSamples& choose) {
  const Pair train = find_pair(folder, "train", Need::both);
  const Pair test = find_pair(folder, "t10k", Need::nothing);
  LabelledData data{.train = read_pair(train, options, nullptr, choose)};
  if (!test.images.empty()) data.test = read_pair(test, options, &data.train);
  return data;
}

Dataset read_idx_pair(const fs::path& folder, const ReadOptions& options, const Dataset* like) {
  const bool labelled = options.label_type != LabelType::none;
  return read_pair(find_pair(folder, "train", labelled ? Need::both : Need::images), options, like);
}

}  // namespace driftless
