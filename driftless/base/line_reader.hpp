#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/base/byte_reader.hpp"

namespace driftless {

// Reads a text file of numbers, plain or gzip, line by line. What follows one of the `comments` on
// a line does not count. Every error is a DataError that names file and line.
class LineReader {
 public:
  LineReader(const std::filesystem::path& path, std::string_view comments)
      : file_(path), comments_(comments) {}

  // The blank-separated fields of the next line that has any, valid until the next call. Returns
  // false at the end of the file.
  bool next(std::vector<std::string_view>& fields);
  // The same, of lines whose cells are separated by commas; cells have no blanks around them and
  // may be empty.
  bool next_cells(std::vector<std::string_view>& cells);

  std::int64_t integer(std::string_view field, std::int64_t lowest, std::int64_t highest) const;
  double number(std::string_view field) const;

  // What an error begins with: the file, and the line last read.
  std::string name() const { return file_.name(); }
  std::int64_t line() const { return line_number_; }
  std::string place() const { return fmt::format("{}:{}", name(), line_number_); }

 private:
  bool next_line();
  std::string_view text() const;  // of the line, without its comment

  ByteReader file_;
  std::string_view comments_;
  std::string line_;
  std::int64_t line_number_ = 0;
  std::vector<char> buffer_ = std::vector<char>(std::size_t{1} << 14);
  std::size_t used_ = 0;
  std::size_t filled_ = 0;
};

}  // namespace driftless
