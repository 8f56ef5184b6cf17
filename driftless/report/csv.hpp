#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace driftless {

// A field that holds a comma, a quote or a line break goes into quotes (RFC 4180).
std::string csv_field(std::string_view text);
std::string csv_line(const std::vector<std::string>& fields);  // with its line break

// A file that grows by whole lines. Errors throw std::system_error with the path.
class CsvFile {
 public:
  explicit CsvFile(std::filesystem::path path);

  void append(const std::string& line);
  void flush();  // hands what was appended to the system
  void close();  // to the disk

 private:
  [[noreturn]] void fail(const char* what) const;

  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::filesystem::path path_;
  std::string pending_;
  std::unique_ptr<std::FILE, Closer> file_;
};

}  // namespace driftless
