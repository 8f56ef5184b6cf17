#include "driftless/data/npy.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>

#include "driftless/base/byte_reader.hpp"
#include "driftless/base/error.hpp"
#include "driftless/base/text.hpp"
#include "driftless/data/labels.hpp"
#include "driftless/data/npy_header.hpp"

namespace driftless {
namespace {

static_assert(std::endian::native == std::endian::little, "the file holds the bytes of memory");

template <class Number>
void convert_as(std::string_view bytes, std::vector<double>& out) {
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(Number)) {
    Number number{};
    std::memcpy(&number, bytes.data() + at, sizeof number);
    out.push_back(static_cast<double>(number));
  }
}

void convert(const NpyHeader& header, std::string_view bytes, std::vector<double>& out) {
  out.reserve(header.elements);
  const bool with_sign = header.kind == 'i';
  if (header.kind == 'f') {
    header.item == 4 ? convert_as<float>(bytes, out) : convert_as<double>(bytes, out);
  } else if (header.item == 1) {
    with_sign ? convert_as<std::int8_t>(bytes, out) : convert_as<std::uint8_t>(bytes, out);
  } else if (header.item == 2) {
    with_sign ? convert_as<std::int16_t>(bytes, out) : convert_as<std::uint16_t>(bytes, out);
  } else if (header.item == 4) {
    with_sign ? convert_as<std::int32_t>(bytes, out) : convert_as<std::uint32_t>(bytes, out);
  } else {
    with_sign ? convert_as<std::int64_t>(bytes, out) : convert_as<std::uint64_t>(bytes, out);
  }
}

// One text of four bytes a letter, filled up with zeros, as UTF-8.
std::string text_from(std::string_view letters, const std::string& name) {
  std::string text;
  const auto append = [&text](std::uint32_t byte) { text += static_cast<char>(byte); };
  for (std::size_t at = 0; at < letters.size(); at += 4) {
    std::uint32_t letter = 0;
    std::memcpy(&letter, letters.data() + at, sizeof letter);
    if (letter == 0) break;
    if (letter > 0x10ffff) throw DataError("{}: holds text that is no Unicode", name);
    if (letter < 0x80) {
      append(letter);
      continue;
    }
    const int more = letter < 0x800 ? 1 : letter < 0x10000 ? 2 : 3;  // bytes after the first
    append((0xff00U >> (more + 1) & 0xffU) | (letter >> (6 * more)));
    for (int k = more; k-- > 0;) append(0x80U | (letter >> (6 * k) & 0x3fU));
  }
  return text;
}

void transpose(NpyArray& array) {
  std::vector<double> by_rows;
  by_rows.reserve(array.numbers.size());
  for (std::uint64_t row = 0; row < array.rows(); ++row) {
    for (std::uint64_t column = 0; column < array.columns(); ++column) {
      by_rows.push_back(array.numbers[column * array.rows() + row]);
    }
  }
  array.numbers = std::move(by_rows);
}

// No memory is taken on the word of a file: it grows as the bytes come.
std::string all_bytes(ByteReader& file) {
  constexpr std::uint64_t largest_piece = std::uint64_t{1} << 20;
  const std::size_t chunk = std::min(largest_piece, file.most_bytes() + 1);
  std::string bytes;
  if (!file.packed()) bytes.reserve(file.file_size() + chunk);
  for (std::size_t got = chunk; got == chunk;) {
    const std::size_t had = bytes.size();
    bytes.resize(had + chunk);
    got = file.read(bytes.data() + had, chunk);
    bytes.resize(had + got);
  }
  return bytes;
}

// The column of labels; none where there is none, or where all columns are features.
std::optional<std::uint64_t> label_column(const NpyArray& table, const ReadOptions& options,
                                          const Dataset* like, const std::string& name) {
  const std::uint64_t columns = table.columns();
  const bool none = options.label_type == LabelType::none;
  if (none && like != nullptr && std::cmp_equal(columns, like->features)) return std::nullopt;
  if (options.label.empty()) {
    if (none && like == nullptr) return std::nullopt;
    return columns - 1;
  }
  const auto column = parse_integer(options.label);
  if (!column || *column < 0 || std::cmp_greater_equal(*column, columns)) {
    throw DataError(
        "{}: label = \"{}\" names no column; this is .npy: columns have the numbers 0 to {}", name,
        options.label, columns - 1);
  }
  return static_cast<std::uint64_t>(*column);
}

}  // namespace

NpyArray parse_npy(std::string_view bytes, const std::string& name) {
  const NpyHeader header = parse_npy_header(bytes, name);
  const std::string_view contents = bytes.substr(header.begin);
  NpyArray array{.shape = header.shape};
  if (header.kind == 'U') {
    if (header.shape.size() != 1) throw DataError("{}: texts of two dimensions", name);
    for (std::size_t at = 0; at < contents.size(); at += header.item) {
      array.texts.push_back(text_from(contents.substr(at, header.item), name));
    }
    return array;
  }
  convert(header, contents, array.numbers);
  if (header.fortran_order && header.shape.size() == 2) transpose(array);
  return array;
}

void check_finite(const NpyArray& features, const std::string& name) {
  for (std::size_t k = 0; k < features.numbers.size(); ++k) {
    if (std::isfinite(features.numbers[k])) continue;
    throw DataError("{}: row {}, column {}: found {}, expected a finite number; fill it in or {}",
                    name, k / features.columns(), k % features.columns(), features.numbers[k],
                    "remove the row");
  }
}

Dataset read_npy(const std::filesystem::path& path, const ReadOptions& options,
                 const Dataset* like) {
  ByteReader file(path);
  const std::string name = file.name();
  const NpyArray table = parse_npy(all_bytes(file), name);
  if (table.shape.size() != 2 || !table.texts.empty()) {
    throw DataError("{}: holds one row of numbers, expected a table of two dimensions", name);
  }
  check_finite(table, name);
  const auto label = label_column(table, options, like, name);
  const std::uint64_t columns = table.columns();
  Dataset data{.features = static_cast<Index>(columns - (label ? 1 : 0))};
  if (data.features == 0) throw DataError("{}: one column, expected features and labels", name);
  if (like != nullptr && data.features != like->features) {
    throw DataError("{}: found {} features, expected {} as in training", name, data.features,
                    like->features);
  }
  LabelGatherer labels(options, like,
                       [&](std::int64_t row) { return fmt::format("{}: row {}", name, row); });
  DenseRows rows;
  rows.values.reserve(table.rows() * static_cast<std::uint64_t>(data.features));
  for (std::size_t k = 0; k < table.numbers.size(); ++k) {
    if (label != k % columns) rows.values.push_back(table.numbers[k]);
  }
  for (std::uint64_t row = 0; row < table.rows(); ++row) {
    labels.add(label ? table.numbers[row * columns + *label] : 0.0, static_cast<std::int64_t>(row));
  }
  Fingerprint inputs;
  inputs.add_numbers(rows.values);
  labels.hand_over(data, inputs);
  data.inputs = std::move(rows);
  return data;
}

}  // namespace driftless
