#include "driftless/base/line_reader.hpp"

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

bool LineReader::next_line() {
  line_.clear();
  ++line_number_;
  // Packed blank lines are many and cost next to nothing.
  for (; used_ < filled_ && buffer_[used_] == '\n'; ++used_) ++line_number_;
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
      throw DataError("{}: a line of more than {} bytes; this is no text of numbers", place(),
                      longest_line);
    }
  }
}

std::string_view LineReader::text() const {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";  // spreadsheets begin with it
  std::string_view line = line_;
  if (line_number_ == 1 && line.starts_with(byte_order_mark)) {
    line.remove_prefix(byte_order_mark.size());
  }
  line = line.substr(0, line.find_first_of(comments_));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

bool LineReader::next(std::vector<std::string_view>& fields) {
  fields.clear();
  while (fields.empty() && next_line()) {
    const std::string_view line = text();
    std::size_t first = line.find_first_not_of(blanks);
    while (first != std::string_view::npos) {
      const std::size_t last = std::min(line.find_first_of(blanks, first), line.size());
      fields.push_back(line.substr(first, last - first));
      first = line.find_first_not_of(blanks, last);
    }
  }
  return !fields.empty();
}

bool LineReader::next_cells(std::vector<std::string_view>& cells) {
  cells.clear();
  while (next_line()) {
    std::string_view rest = text();
    if (rest.find_first_not_of(blanks) == std::string_view::npos) continue;
    while (true) {
      const std::size_t comma = rest.find(',');
      cells.push_back(trimmed(rest.substr(0, comma)));
      if (comma == std::string_view::npos) return true;
      rest.remove_prefix(comma + 1);
    }
  }
  return false;
}

std::int64_t LineReader::integer(std::string_view field, std::int64_t lowest,
                                 std::int64_t highest) const {
  const auto value = parse_integer(field);
  if (!value || *value < lowest || *value > highest) {
    throw DataError("{}: found \"{}\", expected an integer from {} to {}", place(), shown(field),
                    lowest, highest);
  }
  return *value;
}

double LineReader::number(std::string_view field) const {
  const auto value = parse_number(field);
  if (!value) throw DataError("{}: found \"{}\", expected a number", place(), shown(field));
  return *value;
}

}  // namespace driftless
