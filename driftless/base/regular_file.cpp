#include "driftless/base/regular_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "driftless/base/error.hpp"

namespace driftless {

namespace {

const char* kind_of_file(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a fifo";
  return S_ISCHR(mode) || S_ISBLK(mode) ? "a device" : "no file of bytes";
}

[[noreturn]] void fail_to_read(const std::string& name) {
  // Read before the throw takes memory, which may change errno.
  const std::string reason = std::generic_category().message(errno);
  throw DataError("{}: cannot be read: {}", name, reason);
}

}  // namespace

// Without O_NONBLOCK, a fifo would be waited for until someone writes to it.
RegularFile::RegularFile(const std::filesystem::path& path)
    : path_(path), descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {
  if (descriptor_ < 0) fail_to_read(name());
  struct stat status {};
  const bool told = ::fstat(descriptor_, &status) == 0;
  if (told && S_ISREG(status.st_mode)) {
    size_ = static_cast<std::uint64_t>(status.st_size);
    return;
  }
  ::close(descriptor_);
  if (!told) fail_to_read(name());
  throw DataError("{}: is {}, expected a regular file", name(), kind_of_file(status.st_mode));
}

RegularFile::~RegularFile() { ::close(descriptor_); }

std::size_t RegularFile::read(char* out, std::size_t size) const {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t more = ::read(descriptor_, out + done, size - done);
    if (more == 0) break;
    if (more < 0 && errno != EINTR) fail_to_read(name());
    if (more > 0) done += static_cast<std::size_t>(more);
  }
  return done;
}

std::string read_file(const std::filesystem::path& path, std::uint64_t at_most) {
  RegularFile file(path);
  if (file.size() > at_most) {
    throw DataError("{}: has {} bytes, expected at most {}", file.name(), file.size(), at_most);
  }
  std::string contents(file.size(), '\0');
  if (file.read(contents.data(), contents.size()) < contents.size()) {
    throw DataError("{}: was cut off while it was read", file.name());
  }
  return contents;
}

}  // namespace driftless
