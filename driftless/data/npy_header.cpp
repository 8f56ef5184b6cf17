#include "driftless/data/npy_header.hpp"

#include <algorithm>
#include <optional>

#include "driftless/base/error.hpp"
#include "driftless/base/text.hpp"

namespace driftless {
namespace {

constexpr std::string_view npy_magic = "\x93NUMPY";

// Reads {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }, in any order of the keys, each
// once.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  NpyHeader parse() {
    expect("{");
    bool had_type = false;
    bool had_order = false;
    bool had_shape = false;
    while (!accept("}")) {
      const std::string_view key = quoted();
      expect(":");
      if (key == "descr" && !had_type) {
        had_type = true;
        read_type();
      } else if (key == "fortran_order" && !had_order) {
        had_order = true;
        header_.fortran_order = accept("True");
        if (!header_.fortran_order) expect("False");
      } else if (key == "shape" && !had_shape) {
        had_shape = true;
        read_shape();
      } else {
        fail(fmt::format("descr, fortran_order and shape once each, not '{}'", key.substr(0, 40)));
      }
      if (!accept(",") && rest().substr(0, 1) != "}") fail("a comma");
    }
    if (!rest().empty()) fail("its end");
    if (!had_type || !had_order || !had_shape) fail("descr, fortran_order and shape");
    return header_;
  }

 private:
  std::string_view rest() {
    at_ = std::min(text_.find_first_not_of(" \n", at_), text_.size());
    return text_.substr(at_);
  }
  bool accept(std::string_view part) {
    if (!rest().starts_with(part)) return false;
    at_ += part.size();
    return true;
  }
  void expect(std::string_view part) {
    if (!accept(part)) fail(fmt::format("\"{}\"", part));
  }

  std::string_view quoted() {
    expect("'");
    const std::size_t end = text_.find('\'', at_);
    if (end == std::string_view::npos) fail("a closing quote");
    const std::string_view inside = text_.substr(at_, end - at_);
    at_ = end + 1;
    return inside;
  }

  void read_type() {
    constexpr std::string_view known[] = {"<f4", "<f8", "|i1", "<i2", "<i4", "<i8", "|u1",
                                          "<u2", "<u4", "<u8", "|b1", "<i1", "<u1", "<b1"};
    if (rest().starts_with('[')) refuse_type("several fields");
    const std::string_view type = quoted();
    const auto size = type.starts_with("<U") ? parse_integer(type.substr(2)) : std::nullopt;
    constexpr std::int64_t most_letters = 1'000'000;
    if (size && *size >= 1 && *size <= most_letters) {
      header_.kind = 'U';
      header_.item = 4 * static_cast<std::uint64_t>(*size);
      return;
    }
    if (std::ranges::find(known, type) == std::end(known)) refuse_type(type);
    header_.kind = type[1];
    header_.item = static_cast<std::uint64_t>(type[2] - '0');
  }

  void read_shape() {
    expect("(");
    while (!accept(")")) {
      const std::size_t first = text_.size() - rest().size();
      at_ = std::min(text_.find_first_not_of("0123456789", first), text_.size());
      const auto extent = parse_integer(text_.substr(first, at_ - first));
      if (!extent) fail("a whole number");
      header_.shape.push_back(static_cast<std::uint64_t>(*extent));
      if (!accept(",") && rest().substr(0, 1) != ")") fail("a comma");
    }
  }

  [[noreturn]] void refuse_type(std::string_view type) const {
    throw DataError(
        "{}: an array of the type '{}', expected numbers of little endian: floats of 4 or 8 bytes, "
        "integers or booleans; save array.astype(\"<f8\")",
        name_, type.substr(0, 40));
  }
  [[noreturn]] void fail(const std::string& expected) const {
    throw DataError("{}: its header is not as numpy writes it: at its byte {}, expected {}", name_,
                    at_, expected);
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0;
  NpyHeader header_;
};

// The whole bytes of the array that a header claims; none where 64 bits do not hold them.
std::optional<std::uint64_t> claimed_bytes(NpyHeader& header) {
  header.elements = 1;
  for (const std::uint64_t extent : header.shape) {
    if (__builtin_mul_overflow(header.elements, extent, &header.elements)) return std::nullopt;
  }
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(header.elements, header.item, &bytes)) return std::nullopt;
  return bytes;
}

}  // namespace

NpyHeader parse_npy_header(std::string_view bytes, const std::string& name) {
  constexpr std::size_t before_length = 8;  // magic number and version
  if (!bytes.starts_with(npy_magic) || bytes.size() < before_length) {
    throw DataError("{}: is no array that numpy saved", name);
  }
  const int version = static_cast<unsigned char>(bytes[npy_magic.size()]);
  if (version < 1 || version > 3) {
    throw DataError("{}: version {} of the format, expected 1 to 3", name, version);
  }
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  std::size_t begin = before_length + length_bytes;
  if (bytes.size() < begin) throw DataError("{}: ends within its header", name);
  std::size_t length = 0;
  for (std::size_t k = begin; k-- > before_length;) {
    length = (length << 8) | static_cast<unsigned char>(bytes[k]);
  }
  if (length > bytes.size() - begin) throw DataError("{}: ends within its header", name);

  NpyHeader header = HeaderParser(bytes.substr(begin, length), name).parse();
  header.begin = begin + length;
  const auto claimed = claimed_bytes(header);
  if (!claimed || *claimed != bytes.size() - header.begin) {
    throw DataError("{}: an array of the shape ({}) with {} bytes an element, but {} bytes follow",
                    name, fmt::join(header.shape, ", "), header.item, bytes.size() - header.begin);
  }
  if (header.shape.empty() || header.shape.size() > 2 || header.elements == 0) {
    throw DataError("{}: an array of the shape ({}), expected one or two dimensions that hold any",
                    name, fmt::join(header.shape, ", "));
  }
  return header;
}

}  // namespace driftless
