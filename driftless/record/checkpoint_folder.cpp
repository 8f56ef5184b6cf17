#include "driftless/record/checkpoint_folder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "driftless/base/text.hpp"

namespace driftless {
namespace {

constexpr const char* folder_name = "checkpoints";
constexpr std::string_view prefix = "round-";
constexpr std::string_view half_written = ".partial";
constexpr std::string_view aside = ".damaged";

std::string file_name(Round round) { return fmt::format("{}{}.ckpt", prefix, round); }

std::optional<Round> round_of(std::string_view name, std::string_view ending) {
  const std::string suffix = fmt::format(".ckpt{}", ending);
  if (!name.starts_with(prefix) || !name.ends_with(suffix)) return std::nullopt;
  name.remove_prefix(prefix.size());
  name.remove_suffix(std::min(suffix.size(), name.size()));
  return parse_integer(name);
}

}  // namespace

CheckpointFolder::CheckpointFolder(const Folder& run_folder)
    : run_folder_(run_folder), folder_(run_folder.find(folder_name)) {}

std::vector<Round> CheckpointFolder::rounds(std::string_view ending) const {
  std::vector<Round> found;
  if (!folder_) return found;
  for (const std::string& name : folder_->names())
    if (const auto round = round_of(name, ending)) found.push_back(*round);
  std::ranges::sort(found);
  return found;
}

std::optional<Checkpoint> CheckpointFolder::newest_whole(std::vector<DamagedFile>& damaged) const {
  std::vector<Round> newest_first = rounds("");
  std::ranges::reverse(newest_first);
  for (const Round round : newest_first) {
    const std::filesystem::path file = folder_->path() / file_name(round);
    try {
      Checkpoint checkpoint = read_checkpoint(file);
      if (checkpoint.position.round == round) return checkpoint;
      damaged.push_back(
          {file_name(round), fmt::format("{}: holds round {}, not the one of its name",
                                         file.string(), checkpoint.position.round)});
    } catch (const DamagedCheckpoint& error) {
      damaged.push_back({file_name(round), error.what()});
    }
  }
  if (damaged.empty()) return std::nullopt;
  std::string faults;
  for (const DamagedFile& each : damaged) faults += "\n  " + each.fault;
  throw DataError(
      "none of the checkpoints in {} can be used; restore one, or begin the run again with "
      "--force:{}",
      folder_->path().string(), faults);
}

SavePlace CheckpointFolder::place_for(Round round) {
  if (!folder_) folder_ = run_folder_.make_below(folder_name);
  return {.folder = &*folder_, .name = file_name(round)};
}

void CheckpointFolder::keep_newest(int keep) const {
  const std::vector<Round> all = rounds("");
  for (std::size_t k = 0; k + static_cast<std::size_t>(keep) < all.size(); ++k) {
    folder_->remove(file_name(all[k]));
  }
}

void CheckpointFolder::set_aside(const std::vector<DamagedFile>& damaged) const {
  for (const DamagedFile& each : damaged) {
    std::string name = fmt::format("{}{}", each.name, aside);
    for (int k = 2; folder_->has(name); ++k) name = fmt::format("{}{}-{}", each.name, aside, k);
    folder_->rename(each.name, name);
  }
}

void CheckpointFolder::remove_half_written() const {
  for (const Round round : rounds(half_written))
    folder_->remove(fmt::format("{}{}", file_name(round), half_written));
}

void CheckpointFolder::remove_all() const {
  if (!folder_) return;
  keep_newest(0);
  remove_half_written();
  run_folder_.remove_if_empty(folder_name);
}

}  // namespace driftless
