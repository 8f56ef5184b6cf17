#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace driftless::testing {

// A folder of its own for a test, removed with all that is in it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }

  // Makes the folders on the way; returns the file's whole path.
  std::filesystem::path write(std::string_view name, std::string_view contents) const;
  // A file, or a folder with all that is in it.
  void remove(std::string_view name) const { std::filesystem::remove_all(path_ / name); }

 private:
  std::filesystem::path path_;
};

std::string contents_of(const std::filesystem::path& file);

}  // namespace driftless::testing
