#include "driftless/record/csv.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <tuple>

namespace driftless {

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '"') quoted += '"';
    quoted += letter;
  }
  return quoted + '"';
}

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (const std::string& field : fields) {
    if (&field != &fields.front()) line += ',';
    line += csv_field(field);
  }
  return line + '\n';
}

CsvFile::CsvFile(std::filesystem::path path, Begin begin)
    : path_(std::move(path)),
      descriptor_(
          ::open(path_.c_str(),
                 O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (begin == Begin::empty ? O_TRUNC : 0),
                 0666)) {
  if (descriptor_ < 0) fail("cannot be written");
}

CsvFile::~CsvFile() { ::close(descriptor_); }

void CsvFile::flush() {
  const off_t whole = ::lseek(descriptor_, 0, SEEK_END);
  for (std::string_view rest = waiting_; !rest.empty();) {
    const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written > 0) rest.remove_prefix(static_cast<std::size_t>(written));
    if (written >= 0 || errno == EINTR) continue;
    const int reason = errno;
    std::ignore = ::ftruncate(descriptor_, whole);  // a torn line would not read back
    errno = reason;
    fail("cannot be written");
  }
  waiting_.clear();
}

void CsvFile::flush_to_disk() {
  flush();
  if (::fsync(descriptor_) != 0) fail("cannot be brought to the disk");
}

void CsvFile::fail(const char* what) const {
  throw std::system_error(errno, std::generic_category(),
                          fmt::format("{} {}", path_.string(), what));
}

}  // namespace driftless
