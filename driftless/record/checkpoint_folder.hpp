#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "driftless/experiment/checkpoint.hpp"

namespace driftless {

// The checkpoints of one run: checkpoints/round-120.ckpt in its folder.
class CheckpointFolder {
 public:
  explicit CheckpointFolder(const std::filesystem::path& run_folder)
      : folder_(run_folder / "checkpoints") {}

  // The file for a checkpoint after so many rounds. The folder is there afterwards.
  std::filesystem::path file_for(Round round) const;
  // All but the newest ones go.
  void keep_newest(int keep) const;

  // The newest one that is whole. What is wrong with newer ones goes to `faults`.
  std::optional<Checkpoint> newest_whole(std::vector<std::string>& faults) const;

  // Those after more rounds than these, and what a killed program left half written.
  void remove_after(Round round) const;
  void remove_all() const;  // and the folder, unless it holds something else

 private:
  std::vector<Round> rounds(std::string_view ending) const;  // of files that end so; ascending
  std::filesystem::path file_of(Round round) const;

  std::filesystem::path folder_;
};

}  // namespace driftless
