#include "driftless/base/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <fstream>
#include <system_error>
#include <utility>

#include "driftless/base/error.hpp"

namespace driftless {

namespace {

[[noreturn]] void fail(const std::string& what, const std::filesystem::path& path) {
  throw std::system_error(errno, std::generic_category(), what + " " + path.string());
}

}  // namespace

class AtomicFile::Descriptor {
 public:
  // Errors speak of `target`, the file that the user named.
  Descriptor(const std::filesystem::path& path, int flags, std::filesystem::path target)
      : target_(std::move(target)), descriptor_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {
    if (descriptor_ < 0) fail("cannot create", target_);
  }
  ~Descriptor() { ::close(descriptor_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  void write(std::string_view contents) const {
    while (!contents.empty()) {
      const ssize_t written = ::write(descriptor_, contents.data(), contents.size());
      if (written < 0 && errno != EINTR) fail("cannot write", target_);
      if (written > 0) contents.remove_prefix(written);
    }
  }

  void flush() const {
    if (::fsync(descriptor_) != 0) fail("cannot flush to the disk", target_);
  }

 private:
  std::filesystem::path target_;
  int descriptor_;
};

AtomicFile::AtomicFile(std::filesystem::path path)
    : path_(std::move(path)),
      partial_(path_.string() + ".partial"),
      file_(std::make_unique<Descriptor>(partial_, O_WRONLY | O_CREAT | O_TRUNC, path_)) {}

AtomicFile::~AtomicFile() {
  if (file_) ::unlink(partial_.c_str());
}

void AtomicFile::write(std::string_view contents) { file_->write(contents); }

void AtomicFile::commit() {
  file_->flush();
  if (std::rename(partial_.c_str(), path_.c_str()) != 0) fail("cannot create", path_);
  file_.reset();
  const auto folder = path_.parent_path();
  Descriptor(folder.empty() ? "." : folder, O_RDONLY | O_DIRECTORY, path_).flush();
}

void write_file_atomically(const std::filesystem::path& path, std::string_view contents) {
  AtomicFile file(path);
  file.write(contents);
  file.commit();
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary | std::ios::ate);
  std::string contents(stream ? static_cast<std::size_t>(stream.tellg()) : 0, '\0');
  stream.seekg(0).read(contents.data(), static_cast<std::streamsize>(contents.size()));
  if (!stream) {
    throw DataError(fmt::format("{} cannot be read: {}", path.string(),
                                std::generic_category().message(errno)));
  }
  return contents;
}

}  // namespace driftless
