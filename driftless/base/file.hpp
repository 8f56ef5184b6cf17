#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "driftless/base/folder.hpp"
#include "driftless/base/regular_file.hpp"

namespace driftless {

// Leaves either the old file or the whole new one, also through a crash: writes `name`.partial,
// and on commit flushes it to the disk and renames it. A file that is not committed is removed.
// Links of either name are replaced, not followed.
class AtomicFile {
 public:
  AtomicFile(const Folder& folder, std::string name);  // the folder must live as long
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view contents) { file_.write(contents); }
  void commit();

 private:
  const Folder& folder_;
  std::string name_;
  std::string partial_;
  Opened file_;
  bool committed_ = false;
};

void write_file_atomically(const Folder& folder, const std::string& name,
                           std::string_view contents);
void write_file_atomically(const std::filesystem::path& path, std::string_view contents);

}  // namespace driftless
