#include "driftless/data/format.hpp"

#include <algorithm>
#include <string>

#include "driftless/base/byte_reader.hpp"
#include "driftless/base/error.hpp"
#include "driftless/base/text.hpp"
#include "driftless/data/decimal.hpp"

namespace driftless {
namespace {

std::string head_of(ByteReader& file) {
  constexpr std::size_t enough = std::size_t{1} << 14;
  std::string head(enough, '\0');
  head.resize(file.read(head.data(), head.size()));
  return head;
}

bool is_text(std::string_view head) {
  return std::ranges::none_of(head, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != '\v';
  });
}

// The first line that is neither blank nor a comment.
std::string_view first_line(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    line = trimmed(line.substr(0, line.find_first_of("#\r")));
    if (!line.empty()) return line;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return {};
}

// "17:…"
bool is_entry(std::string_view field) {
  const std::size_t colon = field.find_first_not_of("+-0123456789");
  return colon != std::string_view::npos && colon > 0 && field[colon] == ':';
}

// Lines of LIBSVM are `label index:value …`. Where labels are not read they may be missing, and
// where all features are zero so are the entries; a line of one number is no line of names either.
bool is_libsvm(std::string_view line) {
  const std::size_t blank = std::min(line.find_first_of(" \t"), line.size());
  const std::string_view first = line.substr(0, blank);
  const std::string_view others = trimmed(line.substr(blank));
  return is_entry(first) || is_entry(others) || (others.empty() && parse_decimal(first));
}

}  // namespace

std::string_view name_of(DataFormat format) {
  switch (format) {
    case DataFormat::idx:
      return "IDX";
    case DataFormat::npy:
      return ".npy";
    case DataFormat::npz:
      return ".npz";
    case DataFormat::csv:
      return "CSV";
    case DataFormat::libsvm:
      break;
  }
  return "LIBSVM";
}

DataFormat format_of(const std::filesystem::path& path) {
  using namespace std::string_view_literals;
  if (std::filesystem::is_directory(path)) return DataFormat::idx;
  ByteReader file(path);
  const std::string head = head_of(file);
  if (head.starts_with("\x93NUMPY")) return DataFormat::npy;
  if (head.starts_with("PK\3\4") || head.starts_with("PK\5\6")) {
    if (!file.packed()) return DataFormat::npz;
    throw DataError("{}: is a .npz within gzip; unpack it with gunzip", file.name());
  }
  if (head.starts_with("\0\0\x08"sv)) {
    throw DataError("{}: is one IDX file; name the folder that holds both images and labels",
                    file.name());
  }
  if (!is_text(head)) {
    throw DataError("{}: is in no format that is read, expected {}", file.name(), known_formats);
  }
  const std::string_view line = first_line(head);
  if (line.empty()) throw DataError("{}: holds no sample", file.name());
  return is_libsvm(line) ? DataFormat::libsvm : DataFormat::csv;
}

void check_options(const std::filesystem::path& path, DataFormat format,
                   const ReadOptions& options) {
  const bool fixed_label = format == DataFormat::libsvm || format == DataFormat::idx;
  if (fixed_label && !options.label.empty()) {
    throw DataError(
        "{}: is {}: its labels {}; remove label", path.string(), name_of(format),
        format == DataFormat::idx ? "are in a file of their own" : "come first on each line");
  }
  if (format != DataFormat::csv && !options.ignore.empty()) {
    throw DataError("{}: is {}: its columns have no names; remove ignore", path.string(),
                    name_of(format));
  }
}

}  // namespace driftless
