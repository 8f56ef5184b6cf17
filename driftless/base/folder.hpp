#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace driftless {

// An open file or folder. Failures throw std::system_error with the path and the reason.
class Opened {
 public:
  // `flags` are those of open(2).
  Opened(std::filesystem::path path, int flags);
  // A file in an open folder. A symbolic link of that name is not followed but refused.
  Opened(const Opened& folder, const std::string& name, int flags);
  // A second descriptor of the same opening: it shares the lock.
  Opened(const Opened& other);
  Opened(Opened&& other) noexcept;
  Opened& operator=(Opened other) noexcept;
  ~Opened();

  const std::filesystem::path& path() const { return path_; }  // for messages
  int descriptor() const { return descriptor_; }
  int release() { return std::exchange(descriptor_, -1); }  // for the caller to close

  void write(std::string_view contents) const;
  void flush() const;  // to the disk
  // False while another process holds the lock, which ends with the process that holds it. Many
  // can share a lock that nobody has alone. A file system without locks grants it to everyone.
  bool lock() const;
  bool lock_shared() const;

  [[noreturn]] void fail(const char* what) const;  // for the reason in errno

 private:
  std::filesystem::path path_;
  int descriptor_;
};

// A folder that is held open. What is written through it lands in this very folder, also after
// someone has moved it, and never behind a symbolic link. Failures throw std::system_error.
class Folder {
 public:
  // One that is there; the path may go through links.
  explicit Folder(const std::filesystem::path& path);
  // Makes it, and what is missing above it. New folders are on the disk when this returns.
  static Folder make(const std::filesystem::path& path);

  // Those below: a name, or several with slashes. None of them may be a link.
  Folder below(const std::filesystem::path& relative) const;
  std::optional<Folder> find(const std::filesystem::path& relative) const;  // none: not there
  Folder make_below(const std::filesystem::path& relative) const;

  const std::filesystem::path& path() const { return opened_.path(); }  // as it was opened
  std::filesystem::path where() const;                                  // where it lies now
  const Opened& opened() const { return opened_; }

  bool has(const std::string& name) const;  // a file, a folder or a link
  std::vector<std::string> names() const;   // of all that it holds, in order
  Opened open(const std::string& name, int flags) const { return {opened_, name, flags}; }

  void remove(const std::string& name) const;           // a file or a link, if there is one
  void remove_if_empty(const std::string& name) const;  // a folder
  void rename(const std::string& from, const std::string& to) const;
  void flush() const { opened_.flush(); }  // what was made, renamed and removed

 private:
  explicit Folder(Opened opened) : opened_(std::move(opened)) {}
  [[noreturn]] void fail(const char* what, const std::string& name) const;

  Opened opened_;
};

}  // namespace driftless
