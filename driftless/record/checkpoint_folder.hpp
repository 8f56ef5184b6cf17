#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driftless/experiment/checkpoint.hpp"

namespace driftless {

// A file that was cut off or changed.
struct DamagedFile {
  std::string name;
  std::string fault;
};

// The checkpoints of one run: checkpoints/round-120.ckpt in its folder.
class CheckpointFolder {
 public:
  explicit CheckpointFolder(const Folder& run_folder);

  bool empty() const { return rounds("").empty(); }
  // The newest one that is whole; those that are newer go to `damaged`. Throws DataError where one
  // cannot be read, though it may be good, and where there are some and all are damaged.
  std::optional<Checkpoint> newest_whole(std::vector<DamagedFile>& damaged) const;

  // Where a checkpoint after so many rounds goes; the folder is there afterwards.
  SavePlace place_for(Round round);
  void keep_newest(int keep) const;  // all others go
  // Keeps what is of no use under another name: what is made anew takes its place.
  void set_aside(const std::vector<DamagedFile>& damaged) const;
  void remove_half_written() const;
  void remove_all() const;  // but what was set aside; and the folder, unless it holds something

 private:
  // Of the files round-*.ckpt with this ending; ascending.
  std::vector<Round> rounds(std::string_view ending) const;

  const Folder run_folder_;
  std::optional<Folder> folder_;  // none: it is not there
};

}  // namespace driftless
