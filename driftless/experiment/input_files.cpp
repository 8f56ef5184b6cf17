#include "driftless/experiment/input_files.hpp"

#include <fmt/format.h>

#include "driftless/base/text.hpp"
#include "driftless/config/key.hpp"
#include "driftless/data/load.hpp"
#include "driftless/data/sites.hpp"

namespace driftless {
namespace {

// A file that a key of the config names.
struct NamedFile {
  std::string name;  // "problem.data train.libsvm", "problem.data node 3 site.csv"
  std::filesystem::path path;
  std::optional<NodeId> node;  // whose own it is; then it may be a folder
};

// The same in every process, though not every process has them all.
std::vector<NamedFile> files_of(const ExperimentConfig& config, NodeId nodes) {
  std::vector<NamedFile> files;
  for (const Key& key : config_keys()) {
    const std::optional<Value> value = key.names_files() ? key.value_in(config) : std::nullopt;
    if (!value || !why_inapplicable(key, config).empty()) continue;
    const auto named = from_value<NamedFiles>(*value);
    if (!names_sites(named)) {
      for (const std::filesystem::path& file : data_files(named.front().string()))
        files.push_back({fmt::format("{} {}", key.name, file.filename().string()), file, {}});
      continue;
    }
    for (NodeId i = 0; i < nodes; ++i) {
      const std::filesystem::path file = site_file(named, i);
      files.push_back(
          {fmt::format("{} node {} {}", key.name, i, file.filename().string()), file, i});
    }
  }
  return files;
}

// Of a folder, the sum of its files' sums.
FileSum sum_of_data(const std::filesystem::path& path) {
  if (!std::filesystem::is_directory(path)) return sum_of_file(path);
  FileSum all;
  for (const std::filesystem::path& file : data_files(path.string())) {
    const FileSum sum = sum_of_file(file);
    all.add(fmt::format("{} {} {}\n", file.filename().string(), sum.bytes, sum.crc));
  }
  return all;
}

}  // namespace

void InputFiles::add(const ExperimentConfig& config, NodeId nodes, NodeRange hosted,
                     bool first_process) {
  for (const NamedFile& file : files_of(config, nodes)) {
    const auto [sum, is_new] = sums_.try_emplace(file.path, std::nullopt);
    if (!is_new) continue;
    in_order_.push_back(file.path);
    const bool mine = file.node ? hosted.contains(*file.node) : first_process;
    if (mine) sum->second = sum_of_data(file.path);
  }
}

// Files are told by their place in the plan: where they lie may differ from process to process.
void InputFiles::exchange(const Processes& processes) {
  if (processes.count() == 1) return;
  FileSums own;
  for (std::size_t k = 0; k < in_order_.size(); ++k) {
    if (const std::optional<FileSum>& sum = sums_.at(in_order_[k])) own[std::to_string(k)] = *sum;
  }
  for (const std::string& told : processes.gather(to_json_object(own).dump())) {
    const FileSums others = file_sums_in(nlohmann::json::parse(told)).value();
    for (const auto& [place, sum] : others) {
      sums_.at(in_order_[static_cast<std::size_t>(*parse_integer(place))]) = sum;
    }
  }
}

FileSums InputFiles::of(const ExperimentConfig& config, NodeId nodes) const {
  FileSums files;
  for (const NamedFile& file : files_of(config, nodes)) {
    files[file.name] = sums_.at(file.path).value();
  }
  return files;
}

}  // namespace driftless
