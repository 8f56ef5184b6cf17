#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace driftless {

// A field that holds a comma, a quote or a line break goes into quotes (RFC 4180).
std::string csv_field(std::string_view text);
std::string csv_line(const std::vector<std::string>& fields);  // with its line break

// A file that grows by whole lines: what a failure cuts off is taken back. Lines wait until they
// are flushed. Errors throw std::system_error with the path.
class CsvFile {
 public:
  enum class Begin { empty, at_its_end };
  explicit CsvFile(std::filesystem::path path, Begin begin = Begin::empty);
  ~CsvFile();  // what was not flushed is lost
  CsvFile(const CsvFile&) = delete;
  CsvFile& operator=(const CsvFile&) = delete;

  void append(std::string_view line) { waiting_ += line; }
  void flush();          // hands what was appended to the system
  void flush_to_disk();  // and it to the disk

 private:
  [[noreturn]] void fail(const char* what) const;

  std::filesystem::path path_;
  int descriptor_;
  std::string waiting_;
};

}  // namespace driftless
