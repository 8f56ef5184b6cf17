#include "driftless/record/csv.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <system_error>
#include <tuple>

#include "driftless/base/file.hpp"

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

CsvFile::CsvFile(const Folder& folder, const std::string& name, std::string_view lines)
    : file_((write_file_atomically(folder, name, lines), folder.open(name, O_WRONLY | O_APPEND))),
      sum_(sum_of(lines)) {}

void CsvFile::flush() {
  const off_t whole = ::lseek(file_.descriptor(), 0, SEEK_END);
  try {
    file_.write(waiting_);
  } catch (const std::system_error&) {
    std::ignore = ::ftruncate(file_.descriptor(), whole);  // a torn line would not read back
    throw;
  }
  sum_.add(waiting_);
  waiting_.clear();
}

void CsvFile::flush_to_disk() {
  flush();
  file_.flush();
}

}  // namespace driftless
