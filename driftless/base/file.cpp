#include "driftless/base/file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

namespace driftless {

Opened::Opened(const std::filesystem::path& path, int flags, std::filesystem::path stands_for)
    : path_(std::move(stands_for)), descriptor_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) fail((flags & O_CREAT) != 0 ? "cannot create" : "cannot open");
}

Opened::~Opened() { ::close(descriptor_); }

void Opened::write(std::string_view contents) const {
  while (!contents.empty()) {
    const ssize_t written = ::write(descriptor_, contents.data(), contents.size());
    if (written < 0 && errno != EINTR) fail("cannot write");
    if (written > 0) contents.remove_prefix(static_cast<std::size_t>(written));
  }
}

void Opened::flush() const {
  if (::fsync(descriptor_) != 0) fail("cannot flush to the disk");
}

bool Opened::lock() const {
  return ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

void Opened::fail(const char* what) const {
  throw std::system_error(errno, std::generic_category(), what + (" " + path_.string()));
}

AtomicFile::AtomicFile(std::filesystem::path path)
    : path_(std::move(path)),
      partial_(path_.string() + ".partial"),
      file_(partial_, O_WRONLY | O_CREAT | O_TRUNC, path_) {}

AtomicFile::~AtomicFile() {
  if (!committed_) ::unlink(partial_.c_str());
}

void AtomicFile::commit() {
  file_.flush();
  if (std::rename(partial_.c_str(), path_.c_str()) != 0) {
    throw std::system_error(errno, std::generic_category(), "cannot create " + path_.string());
  }
  committed_ = true;
  const auto folder = path_.parent_path();
  Opened(folder.empty() ? "." : folder, O_RDONLY | O_DIRECTORY, path_).flush();
}

void write_file_atomically(const std::filesystem::path& path, std::string_view contents) {
  AtomicFile file(path);
  file.write(contents);
  file.commit();
}

}  // namespace driftless
