#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "driftless/base/regular_file.hpp"

namespace driftless {

// An open file or folder. Failures throw std::system_error with the path and the reason.
class Opened {
 public:
  // `flags` are those of open(2). Errors name `path`, or `stands_for` where it is given.
  Opened(const std::filesystem::path& path, int flags) : Opened(path, flags, path) {}
  Opened(const std::filesystem::path& path, int flags, std::filesystem::path stands_for);
  ~Opened();
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;

  void write(std::string_view contents) const;
  void flush() const;  // to the disk
  // False while another process holds the lock, which ends with the process that holds it. A file
  // system without locks grants it to everyone.
  bool lock() const;

 private:
  [[noreturn]] void fail(const char* what) const;

  std::filesystem::path path_;
  int descriptor_;
};

// Leaves either the old file or the whole new one, also through a crash: writes `path`.partial,
// and on commit flushes it to the disk and renames it. A file that is not committed is removed.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view contents) { file_.write(contents); }
  void commit();

 private:
  std::filesystem::path path_;
  std::filesystem::path partial_;
  Opened file_;
  bool committed_ = false;
};

void write_file_atomically(const std::filesystem::path& path, std::string_view contents);

}  // namespace driftless
