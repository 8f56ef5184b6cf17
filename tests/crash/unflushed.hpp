#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>

namespace driftless::shim {

// What a power cut takes: the bytes that were added to files since these were last flushed. Renames
// and removals stay, which is the worst order for a program that renames what it did not flush.
class Unflushed {
 public:
  // Before bytes are written.
  void wrote(int descriptor) {
    struct stat status {};
    if (::fstat(descriptor, &status) != 0) return;
    File* free = nullptr;
    for (File& file : files_) {
      if (file.descriptor >= 0 && same(file, status)) return;
      if (file.descriptor < 0) free = &file;
    }
    if (free == nullptr) return;  // more files at once than any program of ours writes
    // A descriptor of its own: the program may close the file without flushing it.
    *free = {.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, out_of_the_way),
             .device = status.st_dev,
             .number = status.st_ino,
             .flushed = status.st_size};
  }
  void flushed(int descriptor) {
    struct stat status {};
    if (::fstat(descriptor, &status) != 0) return;
    for (File& file : files_) {
      if (file.descriptor < 0 || !same(file, status)) continue;
      ::close(file.descriptor);
      file.descriptor = -1;
    }
  }
  void lose() const {
    for (const File& file : files_) {
      if (file.descriptor >= 0) syscall(SYS_ftruncate, file.descriptor, file.flushed);
    }
  }

 private:
  static constexpr int out_of_the_way = 300;
  struct File {
    int descriptor = -1;  // −1: this place is free
    dev_t device = 0;
    ino_t number = 0;
    off_t flushed = 0;  // bytes
  };
  static bool same(const File& file, const struct stat& status) {
    return file.device == status.st_dev && file.number == status.st_ino;
  }
  std::array<File, 64> files_{};
};

}  // namespace driftless::shim
