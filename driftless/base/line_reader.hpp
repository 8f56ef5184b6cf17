#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/base/byte_reader.hpp"

namespace driftless {

// Reads a text file of numbers, plain or gzip, line by line; every error is a DataError that names
// file and line.
class LineReader {
 public:
  explicit LineReader(const std::filesystem::path& path);

  // The blank-separated fields of the next line, valid until the next call; empty for a blank line.
  // Returns false at the end of the file.
  bool next(std::vector<std::string_view>& fields);

  // The whole of the line last read.
  const std::string& line() const { return line_; }

  std::int64_t integer(std::string_view field, std::int64_t lowest, std::int64_t highest) const;
  double number(std::string_view field) const;

  // Throws an error about the line last read.
  [[noreturn]] void fail(const std::string& message) const;
  // Throws an error about the file as a whole.
  [[noreturn]] void fail_file(const std::string& message) const;

 private:
  bool next_line();

  std::filesystem::path path_;
  ByteReader file_;
  std::string line_;
  std::int64_t line_number_ = 0;
  std::vector<char> buffer_;
  std::size_t used_ = 0;
  std::size_t filled_ = 0;
};

}  // namespace driftless
