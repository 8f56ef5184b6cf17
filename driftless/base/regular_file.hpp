#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>

namespace driftless {

// A regular file, opened for reading. A folder, a fifo or a device has no size to check claims
// against, and may never end: it is refused, and nobody waits for it. Every error is a DataError
// that names the file.
class RegularFile {
 public:
  explicit RegularFile(const std::filesystem::path& path);
  ~RegularFile();
  RegularFile(const RegularFile&) = delete;
  RegularFile& operator=(const RegularFile&) = delete;

  // Fewer than `size` bytes only where the file ends.
  std::size_t read(char* out, std::size_t size) const;

  std::uint64_t size() const { return size_; }  // when it was opened
  std::string name() const { return path_.string(); }

 private:
  std::filesystem::path path_;
  int descriptor_;
  std::uint64_t size_ = 0;
};

// The contents of a regular file. Throws DataError with the path and the reason, also where the
// file is larger than `at_most` bytes.
std::string read_file(const std::filesystem::path& path,
                      std::uint64_t at_most = std::numeric_limits<std::uint64_t>::max());

}  // namespace driftless
