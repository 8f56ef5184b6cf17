#include "driftless/data/csv_scanner.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "driftless/base/error.hpp"

namespace driftless {
namespace {

// A few packed bytes can stand for a line that fills the memory.
constexpr std::size_t longest_csv_line = std::size_t{1} << 26;
constexpr std::size_t most_columns = 1'000'000;
constexpr std::size_t largest_chunk = std::size_t{1} << 20;

// Searches look at so many bytes at once, and so may look beyond what was read.
using Word = std::uint64_t;
static_assert(std::endian::native == std::endian::little, "the first byte is the lowest");

constexpr Word each_byte(char byte) {
  return 0x0101010101010101U * static_cast<unsigned char>(byte);
}

// The lowest bit that is set belongs to the first byte that is zero.
constexpr Word zero_bytes(Word word) {
  return (word - each_byte('\x01')) & ~word & each_byte('\x80');
}

// The first of the two characters; the caller knows that one is there.
char* find_either(char* p, char one, char other) {
  while (true) {
    Word word = 0;
    std::memcpy(&word, p, sizeof word);
    const Word found = zero_bytes(word ^ each_byte(one)) | zero_bytes(word ^ each_byte(other));
    if (found != 0) return p + std::countr_zero(found) / 8;
    p += sizeof word;
  }
}

}  // namespace

CsvScanner::CsvScanner(const std::filesystem::path& path, char delimiter)
    : file_(path),
      delimiter_(delimiter),
      buffer_(std::min<std::uint64_t>(largest_chunk, file_.most_bytes() + 1 + sizeof(Word))) {
  if (delimiter == '"' || delimiter == '\n' || delimiter == '\r') {
    throw ConfigError("a quote or a line break as the delimiter: expected another character");
  }
  fill();
  if (std::string_view(buffer_.data(), filled_).starts_with("\xef\xbb\xbf")) begin_ = 3;
}

bool CsvScanner::next(std::vector<std::string_view>& fields) {
  while (true) {
    for (; begin_ < filled_ && (buffer_[begin_] == '\n' || buffer_[begin_] == '\r'); ++begin_) {
      if (buffer_[begin_] == '\n') ++next_line_;
    }
    line_ = next_line_;
    if (begin_ == filled_ && at_end_) return false;
    if (begin_ < filled_ && scan(fields)) break;
    fill();
  }
  // Only now: a line that the buffer cuts off is scanned again.
  for (const std::size_t k : doubled_) unquote(fields[k]);
  return true;
}

// Returns false where the buffer ends before the line does.
bool CsvScanner::scan(std::vector<std::string_view>& fields) {
  fields.clear();
  doubled_.clear();
  open_quote_ = 0;
  bool quotes = false;
  char* const begin = buffer_.data() + begin_;
  char* const end = buffer_.data() + filled_;
  for (char* p = begin;; ++p) {
    if (fields.size() == most_columns) {
      throw DataError("{}: more than {} columns", place(), most_columns);
    }
    const bool quoted = *p == '"';
    char* const first = p + (quoted ? 1 : 0);
    char* last = nullptr;
    if (quoted) {
      quotes = true;
      bool doubled = false;
      last = end_of_quoted(first, doubled);
      if (last == nullptr) return false;
      if (doubled) doubled_.push_back(fields.size());
      p = last + 1;
      if (*p == '\r' && p[1] == '\n') ++p;
      if (p != end && *p != delimiter_ && *p != '\n') {
        throw DataError(
            "{}: text follows a closing quote; a quote within quotes is written twice: \"\"",
            place());
      }
    } else {
      last = p = find_either(p, delimiter_, '\n');
    }
    if (p == end && !at_end_) return false;
    const bool closes = *p == '\n';
    if (closes && !quoted && last != first && last[-1] == '\r') --last;
    fields.emplace_back(first, static_cast<std::size_t>(last - first));
    if (!closes) continue;
    next_line_ = line_ + 1 + (quotes ? std::count(begin, p, '\n') : 0);
    char* const after = std::min(p + 1, end);
    begin_ = static_cast<std::size_t>(after - buffer_.data());
    done_ += static_cast<std::uint64_t>(after - begin);
    return true;
  }
}

// The closing quote of the field whose text begins at `first`; null where the buffer ends before
// it.
char* CsvScanner::end_of_quoted(char* first, bool& doubled) {
  char* const end = buffer_.data() + filled_;
  for (char* quote = first;; quote += 2, doubled = true) {
    const auto left = static_cast<std::size_t>(end - quote);
    quote = static_cast<char*>(std::memchr(quote, '"', left));
    if (quote == nullptr) break;
    if (quote + 1 == end || quote[1] != '"') return quote;
  }
  open_quote_ = line_ + std::count(buffer_.data() + begin_, first, '\n');
  if (at_end_) throw DataError("{}: a quote begins here and is never closed", place(open_quote_));
  return nullptr;
}

// Makes one quote of two, in the buffer.
void CsvScanner::unquote(std::string_view& field) {
  char* const first = buffer_.data() + (field.data() - buffer_.data());
  char* out = first;
  for (std::size_t k = 0; k < field.size(); ++k) {
    *out++ = field[k];
    if (field[k] == '"') ++k;
  }
  field = {first, static_cast<std::size_t>(out - first)};
}

// Reads on behind what waits, which moves to the front.
void CsvScanner::fill() {
  std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
            buffer_.begin() + static_cast<std::ptrdiff_t>(filled_), buffer_.begin());
  filled_ -= begin_;
  begin_ = 0;
  if (filled_ + sizeof(Word) == buffer_.size()) {
    if (filled_ >= longest_csv_line && open_quote_ != 0) {
      throw DataError("{}: a quote begins here and is not closed within {} bytes",
                      place(open_quote_), longest_csv_line);
    }
    if (filled_ >= longest_csv_line) {
      throw DataError("{}: a line of more than {} bytes; this is no table", place(),
                      longest_csv_line);
    }
    buffer_.resize(2 * buffer_.size());
  }
  const std::size_t wanted = buffer_.size() - sizeof(Word) - filled_;
  const std::size_t got = file_.read(buffer_.data() + filled_, wanted);
  at_end_ = got < wanted;
  filled_ += got;
  buffer_[filled_] = '\n';
}

}  // namespace driftless
