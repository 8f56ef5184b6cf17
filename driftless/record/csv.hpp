#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "driftless/base/file_sum.hpp"
#include "driftless/base/folder.hpp"

namespace driftless {

// A field that holds a comma, a quote or a line break goes into quotes (RFC 4180).
std::string csv_field(std::string_view text);
std::string csv_line(const std::vector<std::string>& fields);  // with its line break

// A file that grows by whole lines: what a failure cuts off is taken back. Lines wait until they
// are flushed. Errors throw std::system_error with the path.
class CsvFile {
 public:
  // Begins with these lines, in the place of what was there.
  CsvFile(const Folder& folder, const std::string& name, std::string_view lines);

  void append(std::string_view line) { waiting_ += line; }
  void flush();          // hands what was appended to the system; what is not flushed is lost
  void flush_to_disk();  // and it to the disk
  const FileSum& sum() const { return sum_; }  // of what was flushed

 private:
  Opened file_;
  FileSum sum_;
  std::string waiting_;
};

}  // namespace driftless
