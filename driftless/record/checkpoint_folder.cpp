#include "driftless/record/checkpoint_folder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "driftless/base/error.hpp"
#include "driftless/base/text.hpp"

namespace driftless {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = "round-";
constexpr std::string_view suffix = ".ckpt";

std::optional<Round> round_of(std::string_view name, std::string_view ending) {
  if (!name.starts_with(prefix) || !name.ends_with(ending)) return std::nullopt;
  name.remove_prefix(prefix.size());
  name.remove_suffix(std::min(ending.size(), name.size()));
  return parse_integer(name);
}

}  // namespace

fs::path CheckpointFolder::file_of(Round round) const {
  return folder_ / fmt::format("{}{}{}", prefix, round, suffix);
}

std::vector<Round> CheckpointFolder::rounds(std::string_view ending) const {
  std::vector<Round> found;
  if (!fs::is_directory(folder_)) return found;
  for (const auto& entry : fs::directory_iterator(folder_)) {
    const std::string name = entry.path().filename().string();
    if (const auto round = round_of(name, ending)) found.push_back(*round);
  }
  std::ranges::sort(found);
  return found;
}

fs::path CheckpointFolder::file_for(Round round) const {
  // The run's folder is there; were it gone, making it anew would leave half a run.
  fs::create_directory(folder_);
  return file_of(round);
}

void CheckpointFolder::keep_newest(int keep) const {
  const std::vector<Round> all = rounds(suffix);
  for (std::size_t k = 0; k + static_cast<std::size_t>(keep) < all.size(); ++k) {
    fs::remove(file_of(all[k]));
  }
}

std::optional<Checkpoint> CheckpointFolder::newest_whole(std::vector<std::string>& faults) const {
  std::vector<Round> newest_first = rounds(suffix);
  std::ranges::reverse(newest_first);
  for (const Round round : newest_first) {
    try {
      Checkpoint checkpoint = read_checkpoint(file_of(round));
      if (checkpoint.position.round == round) return checkpoint;
      faults.push_back(fmt::format("{}: holds round {}, not the one of its name",
                                   file_of(round).string(), checkpoint.position.round));
    } catch (const DataError& error) {
      faults.emplace_back(error.what());
    }
  }
  return std::nullopt;
}

void CheckpointFolder::remove_after(Round round) const {
  for (const Round found : rounds(suffix)) {
    if (found > round) fs::remove(file_of(found));
  }
  for (const Round found : rounds(".ckpt.partial")) fs::remove(file_of(found) += ".partial");
}

void CheckpointFolder::remove_all() const {
  remove_after(-1);
  if (fs::is_directory(folder_) && fs::is_empty(folder_)) fs::remove(folder_);
}

}  // namespace driftless
