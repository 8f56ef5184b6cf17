#include "driftless/base/folder.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <system_error>
#include <utility>

namespace driftless {

namespace fs = std::filesystem;

Opened::Opened(fs::path path, int flags)
    : path_(std::move(path)), descriptor_(::open(path_.c_str(), flags | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) fail((flags & O_CREAT) != 0 ? "cannot create" : "cannot open");
}

Opened::Opened(const Opened& folder, const std::string& name, int flags)
    : path_(folder.path_ / name),
      descriptor_(
          ::openat(folder.descriptor_, name.c_str(), flags | O_CLOEXEC | O_NOFOLLOW, 0666)) {
  if (descriptor_ >= 0) return;
  // With O_DIRECTORY a link counts as no directory.
  struct stat status {};
  const int reason = errno;
  const bool link =
      ::fstatat(folder.descriptor_, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
      S_ISLNK(status.st_mode);
  errno = link ? ELOOP : reason;
  fail(link                     ? "will not follow the symbolic link"
       : (flags & O_CREAT) != 0 ? "cannot create"
                                : "cannot open");
}

Opened::Opened(const Opened& other)
    : path_(other.path_), descriptor_(::fcntl(other.descriptor_, F_DUPFD_CLOEXEC, 0)) {
  if (descriptor_ < 0) fail("cannot open");
}

Opened::Opened(Opened&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

Opened& Opened::operator=(Opened other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

Opened::~Opened() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

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

bool Opened::lock_shared() const {
  return ::flock(descriptor_, LOCK_SH | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

void Opened::fail(const char* what) const {
  const int reason = errno;  // before memory is taken, also for the exception: that may change it
  throw std::system_error(reason, std::generic_category(),
                          fmt::format("{} {}", what, path_.string()));
}

Folder::Folder(const fs::path& path) : opened_(path.empty() ? "." : path, O_RDONLY | O_DIRECTORY) {}

Folder Folder::make(const fs::path& path) {
  if (path.empty()) return Folder(path);
  if (!path.has_filename()) return make(path.parent_path());  // "runs/"
  if (!fs::exists(path)) make(path.parent_path()).make_below(path.filename());
  return Folder(path);
}

Folder Folder::below(const fs::path& relative) const {
  Opened folder = opened_;
  for (const fs::path& name : relative) {
    folder = Opened(folder, name.string(), O_RDONLY | O_DIRECTORY);
  }
  return Folder(std::move(folder));
}

std::optional<Folder> Folder::find(const fs::path& relative) const {
  try {
    return below(relative);
  } catch (const std::system_error& error) {
    if (error.code() == std::errc::no_such_file_or_directory) return std::nullopt;
    throw;
  }
}

Folder Folder::make_below(const fs::path& relative) const {
  Opened folder = opened_;
  for (const fs::path& name : relative) {
    if (::mkdirat(folder.descriptor(), name.c_str(), 0777) == 0) {
      folder.flush();
    } else if (errno != EEXIST) {
      Folder(std::move(folder)).fail("cannot create", name);
    }
    folder = Opened(folder, name.string(), O_RDONLY | O_DIRECTORY);
  }
  return Folder(std::move(folder));
}

fs::path Folder::where() const {
  std::error_code unknown;
  const fs::path now =
      fs::read_symlink(fmt::format("/proc/self/fd/{}", opened_.descriptor()), unknown);
  return unknown ? path() : now;
}

bool Folder::has(const std::string& name) const {
  struct stat status {};
  if (::fstatat(opened_.descriptor(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0) return true;
  if (errno != ENOENT) fail("cannot look at", name);
  return false;
}

std::vector<std::string> Folder::names() const {
  Opened own(opened_, ".", O_RDONLY | O_DIRECTORY);  // with a position of its own
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(::fdopendir(own.descriptor()), &::closedir);
  if (!listing) own.fail("cannot list");
  own.release();  // closed with the listing
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* entry = ::readdir(listing.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  if (errno != 0) opened_.fail("cannot list");
  std::ranges::sort(names);
  return names;
}

void Folder::remove(const std::string& name) const {
  if (::unlinkat(opened_.descriptor(), name.c_str(), 0) == 0 || errno == ENOENT) return;
  fail("cannot remove", name);
}

void Folder::remove_if_empty(const std::string& name) const {
  if (::unlinkat(opened_.descriptor(), name.c_str(), AT_REMOVEDIR) == 0 || errno == ENOENT ||
      errno == ENOTEMPTY || errno == EEXIST) {
    return;
  }
  fail("cannot remove", name);
}

void Folder::rename(const std::string& from, const std::string& to) const {
  const int folder = opened_.descriptor();
  if (::renameat(folder, from.c_str(), folder, to.c_str()) != 0) fail("cannot create", to);
}

void Folder::fail(const char* what, const std::string& name) const {
  const int reason = errno;
  throw std::system_error(reason, std::generic_category(),
                          fmt::format("{} {}", what, (path() / name).string()));
}

}  // namespace driftless
