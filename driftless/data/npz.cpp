#include "driftless/data/npz.hpp"

#include <algorithm>

#include "driftless/base/error.hpp"
#include "driftless/base/regular_file.hpp"
#include "driftless/base/text.hpp"
#include "driftless/data/labels.hpp"
#include "driftless/data/npy.hpp"
#include "driftless/data/zip.hpp"

namespace driftless {
namespace {

using Names = std::vector<std::string_view>;

class Archive {
 public:
  explicit Archive(const std::filesystem::path& path)
      : name_(path.string()), bytes_(read_file(path)), entries_(zip_entries(bytes_, name_)) {
    for (ZipEntry& entry : entries_) {
      if (entry.name.ends_with(".npy")) entry.name.resize(entry.name.size() - 4);
    }
  }

  // The array that has one of the names.
  NpyArray array(const Names& names, std::string_view what) const {
    for (const std::string_view name : names) {
      const auto found = std::ranges::find(entries_, name, &ZipEntry::name);
      if (found != entries_.end()) return parse_npy(unzip(*found, name_), place(found->name));
    }
    const std::vector<std::string_view> there = names_of(entries_);
    throw DataError("{}: holds no array of {} named {}; its arrays are {}{}", name_, what,
                    either_of(names), listed({there.begin(), there.end()}),
                    names.size() == 1 ? did_you_mean(nearest_names(names[0], there)) : "");
  }

  std::string place(std::string_view array) const { return fmt::format("{}: {}", name_, array); }
  const std::string& name() const { return name_; }

 private:
  std::string name_;
  std::string bytes_;
  std::vector<ZipEntry> entries_;
};

void gather_labels(const Archive& archive, const ReadOptions& options, std::uint64_t samples,
                   LabelGatherer& labels) {
  Names names = {"y", "labels", "label", "target", "targets"};
  if (!options.label.empty()) names = {options.label};
  const NpyArray array = archive.array(names, "labels");
  if (array.columns() != 1 || array.rows() != samples) {
    throw DataError("{}: found labels of the shape ({}), expected one for each of {} samples",
                    archive.name(), fmt::join(array.shape, ", "), samples);
  }
  for (std::uint64_t k = 0; k < samples; ++k) {
    const auto row = static_cast<std::int64_t>(k);
    array.texts.empty() ? labels.add(array.numbers[k], row) : labels.add(array.texts[k], row);
  }
}

}  // namespace

Dataset read_npz(const std::filesystem::path& path, const ReadOptions& options,
                 const Dataset* like) {
  const Archive archive(path);
  NpyArray table = archive.array({"X", "x", "features", "data"}, "features");
  if (table.shape.size() != 2) {
    throw DataError("{}: features of one dimension, expected rows and columns", archive.name());
  }
  check_finite(table, archive.place("features"));
  Dataset data{.features = static_cast<Index>(table.columns())};
  if (like != nullptr && data.features != like->features) {
    throw DataError("{}: found {} features, expected {} as in training", archive.name(),
                    data.features, like->features);
  }
  LabelGatherer labels(options, like, [&](std::int64_t row) {
    return fmt::format("{}: row {}", archive.name(), row);
  });
  if (options.label_type == LabelType::none) {
    for (std::uint64_t k = 0; k < table.rows(); ++k) labels.add("", 0);
  } else {
    gather_labels(archive, options, table.rows(), labels);
  }
  Fingerprint inputs;
  inputs.add_numbers(table.numbers);
  labels.hand_over(data, inputs);
  data.inputs = DenseRows{.values = std::move(table.numbers)};
  return data;
}

}  // namespace driftless
