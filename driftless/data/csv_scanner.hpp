#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/base/byte_reader.hpp"

namespace driftless {

// Cuts a CSV file (RFC 4180), plain or gzip, into the fields of its lines. A field in quotes may
// hold delimiters, line breaks and doubled quotes; a line may end with or without a carriage
// return; blank lines and a byte order mark at the beginning do not count. Every error is a
// DataError that names file and line.
class CsvScanner {
 public:
  CsvScanner(const std::filesystem::path& path, char delimiter);

  // The fields of the next line without their quotes, valid until the next call. Returns false at
  // the end of the file.
  bool next(std::vector<std::string_view>& fields);

  std::int64_t line() const { return line_; }         // where the fields begin
  std::uint64_t bytes_done() const { return done_; }  // of the lines so far
  const ByteReader& file() const { return file_; }
  std::string place(std::int64_t line) const { return fmt::format("{}:{}", file_.name(), line); }
  std::string place() const { return place(line_); }

 private:
  bool scan(std::vector<std::string_view>& fields);
  char* end_of_quoted(char* first, bool& doubled);
  void unquote(std::string_view& field);
  void fill();

  ByteReader file_;
  char delimiter_;
  // The bytes from begin_ to filled_ wait to be cut up. A line break stands behind them, so that
  // searches need not look for the end of the buffer, and room for what they see beyond it.
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t filled_ = 0;
  bool at_end_ = false;  // the file holds no more bytes
  std::int64_t line_ = 0;
  std::int64_t next_line_ = 1;
  std::int64_t open_quote_ = 0;  // the line of a quote that the buffer does not close; 0: none
  std::uint64_t done_ = 0;
  std::vector<std::size_t> doubled_;  // fields that hold doubled quotes
};

}  // namespace driftless
