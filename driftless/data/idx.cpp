#include "driftless/data/idx.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include "driftless/base/byte_reader.hpp"
#include "driftless/base/error.hpp"

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
    const std::uint32_t magic = number("the magic number");
    if (magic != expected) {
      reader_.fail_at(
          0, fmt::format("found the magic number {:#010x}, expected {:#010x}: {}", magic, expected,
                         dimensions == 3 ? "images (idx3-ubyte)" : "labels (idx1-ubyte)"));
    }
    for (int k = 0; k < dimensions; ++k) shape_.push_back(dimension(k));
    std::uint64_t area = 1;
    for (int k = 1; k < dimensions; ++k) area *= shape_[k];
    if (area > largest) {
      reader_.fail_at(8, fmt::format("images of {} x {} pixels, expected at most {} pixels",
                                     shape_[1], shape_[2], largest));
    }
    size_ = shape_[0] * area;
    if (!reader_.packed() && reader_.file_size() != begin() + size_) {
      reader_.fail_at(4, fmt::format("{} take {} bytes with the header, but the file has {}",
                                     claim(), begin() + size_, reader_.file_size()));
    }
  }

  // Takes memory as the bytes come, not as the header claims.
  std::vector<std::uint8_t> read() {
    constexpr std::size_t chunk = std::size_t{1} << 20;
    std::vector<std::uint8_t> bytes;
    while (bytes.size() < size_) {
      const std::size_t had = bytes.size();
      const std::size_t wanted = std::min<std::size_t>(chunk, size_ - had);
      bytes.resize(had + wanted);
      const std::size_t got = reader_.read(reinterpret_cast<char*>(bytes.data() + had), wanted);
      if (got < wanted) {
        reader_.fail_at(
            begin() + had + got,
            fmt::format("the data end, expected {} bytes more for {}", size_ - had - got, claim()));
      }
    }
    char more = 0;
    if (reader_.read(&more, 1) != 0) {
      reader_.fail_at(begin() + size_,
                      fmt::format("the data go on, expected their end after {}", claim()));
    }
    return bytes;
  }

  std::uint64_t begin() const { return 4 + 4 * shape_.size(); }  // the first byte of the array
  std::uint64_t extent(int k) const { return shape_[k]; }
  const ByteReader& reader() const { return reader_; }

 private:
  std::uint32_t number(std::string_view name) {
    std::array<char, 4> bytes{};
    const std::size_t got = reader_.read(bytes.data(), bytes.size());
    if (got < bytes.size()) {
      reader_.fail_at(position_ + got, fmt::format("the file ends within {}", name));
    }
    position_ += bytes.size();
    std::uint32_t value = 0;
    for (const char byte : bytes) value = (value << 8) | static_cast<std::uint8_t>(byte);
    return value;
  }

  std::uint64_t dimension(int k) {
    constexpr std::array<std::string_view, 3> names = {"number of samples", "number of rows",
                                                       "number of columns"};
    const std::uint32_t value = number(fmt::format("the {}", names[k]));
    if (value < 1 || value > largest) {
      reader_.fail_at(position_ - 4, fmt::format("found {} as the {}, expected 1 to {}", value,
                                                 names[k], largest));
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

Pair find_pair(const fs::path& folder, std::string_view set, bool required) {
  Pair pair{find_file(folder, fmt::format("{}-images", set), "idx3-ubyte"),
            find_file(folder, fmt::format("{}-labels", set), "idx1-ubyte")};
  if (pair.images.empty() != pair.labels.empty() || (required && pair.images.empty())) {
    throw DataError(fmt::format("{}: holds no {}-{}-ubyte, nor one with \".\" before idx or .gz",
                                folder.string(), set,
                                pair.images.empty() ? "images-idx3" : "labels-idx1"));
  }
  return pair;
}

struct Samples {
  Images images;
  std::vector<std::int32_t> labels;
};

Samples read_pair(const Pair& pair) {
  IdxFile images(pair.images, 3);
  IdxFile labels(pair.labels, 1);
  if (images.extent(0) != labels.extent(0)) {
    labels.reader().fail_at(
        4, fmt::format("found {} labels, expected {}, as many as {} has images", labels.extent(0),
                       images.extent(0), pair.images.filename().string()));
  }
  const std::vector<std::uint8_t> values = labels.read();
  return {{.rows = static_cast<int>(images.extent(1)),
           .columns = static_cast<int>(images.extent(2)),
           .pixels = images.read()},
          {values.begin(), values.end()}};
}

double to_four_decimals(double value) { return std::round(value * 1e4) / 1e4; }

// Whole numbers until the last division: the figures depend on no order of summation.
void measure(Images& images) {
  std::array<std::uint64_t, 256> counts{};
  for (const std::uint8_t pixel : images.pixels) ++counts[pixel];
  double sum = 0;
  double squares = 0;
  for (std::size_t value = 0; value < counts.size(); ++value) {
    sum += static_cast<double>(counts[value] * value);
    squares += static_cast<double>(counts[value] * value * value);
  }
  const auto count = static_cast<double>(images.pixels.size());
  const double mean = sum / count;
  const double variance = std::max(0.0, squares / count - mean * mean);
  images.mean = to_four_decimals(mean / 255);
  images.deviation = to_four_decimals(std::sqrt(variance) / 255);
  if (images.deviation == 0) images.deviation = 1;
}

Dataset dataset(Samples samples, std::vector<std::string> class_names) {
  const Index features = Index{samples.images.rows} * samples.images.columns;
  return {.features = features,
          .labels = std::move(samples.labels),
          .class_names = std::move(class_names),
          .inputs = std::move(samples.images)};
}

Dataset read_test(const Pair& pair, const Dataset& train) {
  Samples test = read_pair(pair);
  const Images& like = *train.images();
  if (test.images.rows != like.rows || test.images.columns != like.columns) {
    throw DataError(fmt::format(
        "{}: byte 8: found images of {} x {}, expected {} x {} as in training",
        pair.images.string(), test.images.rows, test.images.columns, like.rows, like.columns));
  }
  for (std::size_t k = 0; k < test.labels.size(); ++k) {
    if (test.labels[k] >= train.classes()) {
      throw DataError(
          fmt::format("{}: byte {}: found the label {}, expected 0 to {} as in training",
                      pair.labels.string(), 8 + k, test.labels[k], train.classes() - 1));
    }
  }
  test.images.mean = like.mean;
  test.images.deviation = like.deviation;
  return dataset(std::move(test), train.class_names);
}

}  // namespace

bool holds_idx(const fs::path& folder) {
  return !find_file(folder, "train-images", "idx3-ubyte").empty();
}

LabelledData read_idx_folder(const fs::path& folder) {
  Samples train = read_pair(find_pair(folder, "train", true));
  measure(train.images);
  std::vector<std::string> class_names;
  for (int k = 0; k <= std::ranges::max(train.labels); ++k) {
    class_names.push_back(std::to_string(k));
  }
  LabelledData data{.train = dataset(std::move(train), std::move(class_names))};
  const Pair test = find_pair(folder, "t10k", false);
  if (!test.images.empty()) data.test = read_test(test, data.train);
  return data;
}

}  // namespace driftless
