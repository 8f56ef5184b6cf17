#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "driftless/base/file_sum.hpp"
#include "driftless/base/folder.hpp"
#include "driftless/config/plan.hpp"

namespace driftless {

// Runs that have ended, by their configs. The same config and the same files give the same bits, so
// such a run need not be done again.
class FinishedRuns {
 public:
  // All that lie in the folders and below them. A folder that is not there holds none.
  explicit FinishedRuns(const std::vector<std::filesystem::path>& folders);

  // Where the run was done, by this version and with these files; none: nowhere, or its files are
  // not as they were written.
  std::optional<Folder> find(const PlannedRun& run, const FileSums& inputs) const;

 private:
  std::map<std::string, std::filesystem::path> by_config_;
};

// The files of a run that has ended. What tells that it has ended goes last.
void copy_run(const Folder& from, const Folder& to);

}  // namespace driftless
