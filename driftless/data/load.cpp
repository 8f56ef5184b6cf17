#include "driftless/data/load.hpp"

#include <algorithm>
#include <cstdlib>

#include "driftless/base/error.hpp"
#include "driftless/data/csv.hpp"
#include "driftless/data/format.hpp"
#include "driftless/data/idx.hpp"
#include "driftless/data/libsvm.hpp"
#include "driftless/data/npy.hpp"
#include "driftless/data/npz.hpp"

namespace driftless {

namespace fs = std::filesystem;

fs::path data_cache() {
  const auto variable = [](const char* name) -> fs::path {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
  };
  if (auto folder = variable("DRIFTLESS_DATA"); !folder.empty()) return folder;
  if (const auto folder = variable("XDG_CACHE_HOME"); !folder.empty()) return folder / "driftless";
  if (const auto home = variable("HOME"); !home.empty()) return home / ".cache" / "driftless";
  throw ConfigError("where should fetched data go? Set DRIFTLESS_DATA to a folder");
}

fs::path mnist_folder() { return data_cache() / "mnist"; }

std::vector<fs::path> data_files(const std::string& data) {
  const fs::path path = data == "mnist" ? mnist_folder() : fs::path(data);
  return fs::is_directory(path) ? idx_files(path) : std::vector{path};
}

Dataset read_dataset(const fs::path& file, const ReadOptions& options, const Dataset* like) {
  const DataFormat format = format_of(file);
  check_options(file, format, options);
  if (like != nullptr && like->images() != nullptr && format != DataFormat::idx) {
    throw DataError("{}: is {}, expected a folder of IDX files: the training data are images",
                    file.string(), name_of(format));
  }
  switch (format) {
    case DataFormat::idx:
      return read_idx_pair(file, options, like);
    case DataFormat::npy:
      return read_npy(file, options, like);
    case DataFormat::npz:
      return read_npz(file, options, like);
    case DataFormat::csv:
      return read_csv(file, options, like);
    case DataFormat::libsvm:
      break;
  }
  return read_libsvm(file, options, like);
}

namespace {

// Lets go of the rows that are not chosen.
void keep_rows(DenseRows& rows, Index features, const std::vector<bool>& chosen) {
  SampleId kept = 0;
  for (std::size_t sample = 0; sample < chosen.size(); ++sample) {
    rows.places.push_back(chosen[sample] ? kept : -1);
    if (!chosen[sample]) continue;
    std::copy_n(rows.values.begin() + static_cast<std::ptrdiff_t>(sample) * features, features,
                rows.values.begin() + static_cast<std::ptrdiff_t>(kept) * features);
    ++kept;
  }
  rows.values.resize(static_cast<std::size_t>(kept) * static_cast<std::size_t>(features));
  rows.values.shrink_to_fit();
}

// Where LIBSVM and IDX files leave out what is not chosen while they are read, a table is read
// whole.
Dataset read_training(const fs::path& file, DataFormat format, const ReadOptions& options,
                      const ChooseSamples& choose) {
  if (format == DataFormat::libsvm) return read_libsvm(file, options, nullptr, choose);
  Dataset train = read_dataset(file, options);
  if (choose) keep_rows(std::get<DenseRows>(train.inputs), train.features, choose(train));
  return train;
}

}  // namespace

LabelledData load_data(const std::string& data, const std::optional<fs::path>& test,
                       const ChooseSamples& choose, const ReadOptions& options) {
  const bool mnist = data == "mnist";
  const fs::path path = mnist ? mnist_folder() : fs::path(data);
  if (mnist && !holds_idx(path)) {
    throw DataError("mnist is not in {}: `driftless data fetch mnist` brings it there",
                    path.string());
  }
  if (!fs::exists(path)) {
    throw DataError("{}: is not there, expected mnist, or {}", data, known_formats);
  }
  const DataFormat format = format_of(path);
  check_options(path, format, options);
  if (format != DataFormat::idx) {
    LabelledData read{.train = read_training(path, format, options, choose)};
    if (test) read.test = read_dataset(*test, options, &read.train);
    return read;
  }
  if (test) {
    throw ConfigError("a test file {} beside {}: a folder holds its own test samples",
                      test->string(), data);
  }
  return read_idx_folder(path, options, choose);
}

}  // namespace driftless
