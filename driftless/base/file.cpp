#include "driftless/base/file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace driftless {

AtomicFile::AtomicFile(const Folder& folder, std::string name)
    : folder_(folder),
      name_(std::move(name)),
      partial_(name_ + ".partial"),
      file_((folder.remove(partial_),  // of a program that was killed
             folder.open(partial_, O_WRONLY | O_CREAT | O_EXCL))) {}

AtomicFile::~AtomicFile() {
  if (!committed_) ::unlinkat(folder_.opened().descriptor(), partial_.c_str(), 0);
}

void AtomicFile::commit() {
  file_.flush();
  folder_.rename(partial_, name_);
  committed_ = true;
  folder_.flush();
}

void write_file_atomically(const Folder& folder, const std::string& name,
                           std::string_view contents) {
  AtomicFile file(folder, name);
  file.write(contents);
  file.commit();
}

void write_file_atomically(const std::filesystem::path& path, std::string_view contents) {
  write_file_atomically(Folder(path.parent_path()), path.filename().string(), contents);
}

}  // namespace driftless
