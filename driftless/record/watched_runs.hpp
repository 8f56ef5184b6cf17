#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "driftless/record/recorded_run.hpp"

namespace driftless {

// The runs in folders where some go on or have yet to begin. Only what has changed is read again.
class WatchedRuns {
 public:
  explicit WatchedRuns(std::vector<std::filesystem::path> folders);

  // Looks at the folders. False: all is as it was at the last look.
  bool look();

  const std::vector<RecordedRun>& runs() const { return runs_; }
  // What cannot be read, and is left out.
  const std::vector<std::string>& faults() const { return faults_; }
  // The folders that are not there or hold no run yet.
  const std::vector<std::filesystem::path>& awaited() const { return awaited_; }
  // How long ago a run that goes on has written its newest row.
  std::optional<double> seconds_since_row() const;

 private:
  // What tells that a file has been written again.
  struct Stamp {
    std::int64_t nanoseconds = 0;  // of its last change
    std::uint64_t bytes = 0;
    std::uint64_t number = 0;  // another file of the same name has another
    auto operator<=>(const Stamp&) const = default;
  };
  using Files = std::map<std::string, Stamp>;             // of a folder, by their names
  using Stamps = std::map<std::filesystem::path, Files>;  // of folders that hold any

  static Files files_in(const std::filesystem::path& folder);
  static bool add_files(const std::filesystem::path& top, Stamps& stamps);
  void read(const std::vector<std::filesystem::path>& there, const Stamps& before);

  std::vector<std::filesystem::path> folders_;
  bool looked_ = false;
  Stamps stamps_;
  std::vector<RecordedRun> runs_;
  std::vector<std::string> faults_;
  std::vector<std::filesystem::path> awaited_;
};

}  // namespace driftless
