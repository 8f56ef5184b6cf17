#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace driftless {

// Leaves either the old file or the whole new one, also through a crash: writes `path`.partial,
// and on commit flushes it to the disk and renames it. A file that is not committed is removed.
// Failures throw std::system_error with the path and the reason.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view contents);
  void commit();

 private:
  class Descriptor;

  std::filesystem::path path_;
  std::filesystem::path partial_;
  std::unique_ptr<Descriptor> file_;  // null once it is committed
};

void write_file_atomically(const std::filesystem::path& path, std::string_view contents);

// Throws DataError with the path and the reason.
std::string read_file(const std::filesystem::path& path);

}  // namespace driftless
