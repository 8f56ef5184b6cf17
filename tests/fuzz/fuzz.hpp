#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "driftless/base/error.hpp"

namespace driftless::testing {

// A file in memory, under a path that readers can open. It serves input after input.
class MemoryFile {
 public:
  MemoryFile() : descriptor_(memfd_create("fuzz", MFD_CLOEXEC)) {}
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  void hold(std::string_view contents) const {
    const auto size = static_cast<ssize_t>(contents.size());
    if (ftruncate(descriptor_, size) != 0 ||
        pwrite(descriptor_, contents.data(), contents.size(), 0) != size) {
      std::abort();
    }
  }
  std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

// A folder whose files may be links to such.
class MemoryFolder {
 public:
  MemoryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "driftless-fuzz-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
  }
  ~MemoryFolder() { std::filesystem::remove_all(path_); }
  MemoryFolder(const MemoryFolder&) = delete;
  MemoryFolder& operator=(const MemoryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  void link(const char* name, const MemoryFile& to) const {
    std::filesystem::create_symlink(to.path(), path_ / name);
  }

 private:
  std::filesystem::path path_;
};

// Bad input may be refused, and in no other way.
template <class Read>
int accept_or_refuse(const Read& read) {
  try {
    read();
  } catch (const InputError&) {
    return 0;
  }
  return 0;
}

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace driftless::testing
