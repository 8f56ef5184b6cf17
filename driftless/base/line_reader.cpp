#include "driftless/base/line_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "driftless/base/error.hpp"
#include "driftless/base/text.hpp"

namespace driftless {

namespace {

constexpr std::string_view blanks = " \t\r\f\v";

// A few packed bytes can stand for a line that fills the memory.
constexpr std::size_t longest_line = std::size_t{1} << 26;

// A line may hold anything; an error message shows its beginning.
std::string shown(std::string_view text) {
  constexpr std::size_t longest = 40;
  return text.size() <= longest ? std::string(text) : std::string(text.substr(0, longest)) + "...";
}

}  // namespace

LineReader::LineReader(const std::filesystem::path& path)
    : path_(path), file_(path), buffer_(std::size_t{1} << 14) {}

bool LineReader::next_line() {
  line_.clear();
  while (true) {
    if (used_ == filled_) {
      used_ = 0;
      filled_ = file_.read(buffer_.data(), buffer_.size());
      if (filled_ == 0) return !line_.empty();
    }
    const char* begin = buffer_.data() + used_;
    const char* filled_end = buffer_.data() + filled_;
    const char* end = std::find(begin, filled_end, '\n');
    line_.append(begin, end);
    used_ = static_cast<std::size_t>(end - buffer_.data());
    if (used_ < filled_) {
      ++used_;
      return true;
    }
    if (line_.size() > longest_line) {
      ++line_number_;
      fail(fmt::format("a line of more than {} bytes; this is no text of numbers", longest_line));
    }
  }
}

bool LineReader::next(std::vector<std::string_view>& fields) {
  fields.clear();
  if (!next_line()) return false;
  ++line_number_;
  const std::string_view text = line_;
  std::size_t first = text.find_first_not_of(blanks);
  while (first != std::string_view::npos) {
    const std::size_t last = std::min(text.find_first_of(blanks, first), text.size());
    fields.push_back(text.substr(first, last - first));
    first = text.find_first_not_of(blanks, last);
  }
  return true;
}

std::int64_t LineReader::integer(std::string_view field, std::int64_t lowest,
                                 std::int64_t highest) const {
  const auto value = parse_integer(field);
  if (!value || *value < lowest || *value > highest) {
    fail(fmt::format("found \"{}\", expected an integer from {} to {}", shown(field), lowest,
                     highest));
  }
  return *value;
}

double LineReader::number(std::string_view field) const {
  const auto value = parse_number(field);
  if (!value) fail(fmt::format("found \"{}\", expected a number", shown(field)));
  return *value;
}

void LineReader::fail(const std::string& message) const {
  throw DataError(fmt::format("{}:{}: {}", path_.string(), line_number_, message));
}

void LineReader::fail_file(const std::string& message) const {
  throw DataError(fmt::format("{}: {}", path_.string(), message));
}

}  // namespace driftless
