#include "driftless/report/csv.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

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

CsvFile::CsvFile(std::filesystem::path path)
    : path_(std::move(path)), file_(std::fopen(path_.c_str(), "w")) {
  if (!file_) fail("cannot be written");
  std::setvbuf(file_.get(), nullptr, _IONBF, 0);  // it would be emptied in the middle of a line
}

void CsvFile::append(const std::string& line) { pending_ += line; }

void CsvFile::flush() {
  if (std::fwrite(pending_.data(), 1, pending_.size(), file_.get()) != pending_.size()) {
    fail("cannot be written");
  }
  pending_.clear();
}

void CsvFile::close() {
  flush();
  if (fsync(fileno(file_.get())) != 0) fail("cannot be brought to the disk");
  if (std::fclose(file_.release()) != 0) fail("cannot be closed");
}

void CsvFile::fail(const char* what) const {
  throw std::system_error(errno, std::generic_category(),
                          fmt::format("{} {}", path_.string(), what));
}

}  // namespace driftless
