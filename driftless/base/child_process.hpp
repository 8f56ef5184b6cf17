#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "driftless/base/function_ref.hpp"

namespace driftless {

// A folder for children to work in, removed in the end with all that is in it.
class WorkFolder {
 public:
  explicit WorkFolder(std::filesystem::path path) : path_(std::move(path)) {}
  ~WorkFolder();
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

enum class ChildEnd { succeeded, failed, missing, stopped };

// Runs a program found by PATH, without a shell, in the given folder; what it prints goes to the
// file `log`. `go_on` is asked some ten times a second: when it says no, the child and what it
// started are ended and waited for.
ChildEnd run_child(const std::vector<std::string>& command, const std::filesystem::path& folder,
                   const std::filesystem::path& log, FunctionRef<bool()> go_on);

}  // namespace driftless
