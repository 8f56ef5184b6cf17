#include "driftless/graph/matrix_market.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "driftless/base/error.hpp"
#include "driftless/base/file.hpp"
#include "driftless/base/line_reader.hpp"

namespace driftless {
namespace {

struct Header {
  bool coordinate = false;  // else array: every value, column by column
  bool symmetric = false;   // only the lower triangle is listed
};

struct Entry {
  NodeId row = 0;
  NodeId column = 0;
  double weight = 0;
};

using Fields = std::vector<std::string_view>;

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char letter) {
    return static_cast<char>(std::tolower(letter));
  });
  return result;
}

Header read_header(LineReader& reader) {
  Fields fields;
  if (!reader.next(fields)) throw DataError("{}: is empty", reader.name());
  if (fields.size() != 5 || fields[0] != "%%MatrixMarket" || lower_case(fields[1]) != "matrix") {
    throw DataError(
        "{}: expected a Matrix Market file, such as \"%%MatrixMarket matrix coordinate real "
        "symmetric\"",
        reader.place());
  }
  // Whether the word at a place of the line is the first or the second of what it may be.
  const auto is_first = [&](std::size_t place, const char* what, const char* a, const char* b) {
    const std::string found = lower_case(fields[place]);
    if (found == a || found == b) return found == a;
    throw DataError("{}: found {} \"{}\", expected {} or {}", reader.place(), what, found, a, b);
  };
  const bool coordinate = is_first(2, "format", "coordinate", "array");
  if (lower_case(fields[3]) == "pattern") {
    throw DataError(
        "{}: a pattern has no weights, expected real or integer; give the graph as an edge list to "
        "have weights made",
        reader.place());
  }
  is_first(3, "field", "real", "integer");
  return {coordinate, !is_first(4, "symmetry", "general", "symmetric")};
}

// The next line that is not a comment.
bool next_data(LineReader& reader, Fields& fields) {
  while (reader.next(fields)) {
    if (!fields[0].starts_with('%')) return true;
  }
  return false;
}

struct Size {
  NodeId nodes = 0;
  std::int64_t entries = 0;  // as listed, if the file holds what it claims
};

Size read_size(LineReader& reader, Header header) {
  Fields fields;
  if (!next_data(reader, fields)) throw DataError("{}: ends before its size line", reader.name());
  if (fields.size() != (header.coordinate ? 3 : 2)) {
    throw DataError("{}: found {} fields, expected {}", reader.place(), fields.size(),
                    header.coordinate ? "rows, columns and entries" : "rows and columns");
  }
  const std::int64_t rows = reader.integer(fields[0], 1, max_nodes);
  const std::int64_t columns = reader.integer(fields[1], 1, max_nodes);
  if (rows != columns) {
    throw DataError("{}: found {} rows and {} columns, expected a square matrix", reader.place(),
                    rows, columns);
  }
  const std::int64_t of_array = header.symmetric ? rows * (rows + 1) / 2 : rows * rows;
  return {static_cast<NodeId>(rows),
          header.coordinate ? reader.integer(fields[2], 0, rows * rows) : of_array};
}

Entry coordinate_entry(const LineReader& reader, Header header, NodeId nodes,
                       const Fields& fields) {
  if (fields.size() != 3) {
    throw DataError("{}: found {} fields, expected row, column and weight", reader.place(),
                    fields.size());
  }
  const Entry entry{static_cast<NodeId>(reader.integer(fields[0], 1, nodes)) - 1,
                    static_cast<NodeId>(reader.integer(fields[1], 1, nodes)) - 1,
                    reader.number(fields[2])};
  if (header.symmetric && entry.row < entry.column) {
    throw DataError("{}: above the diagonal: a symmetric file lists the lower triangle only",
                    reader.place());
  }
  return entry;
}

// The entries as listed. Memory grows with what the file holds, never with what it claims.
std::vector<Entry> read_entries(LineReader& reader, Header header, Size size) {
  std::vector<Entry> entries;
  Fields fields;
  std::int64_t count = 0;
  NodeId row = 0;  // the place in an array
  NodeId column = 0;
  while (next_data(reader, fields)) {
    if (++count > size.entries) {
      throw DataError("{}: more than the {} entries claimed", reader.place(), size.entries);
    }
    if (header.coordinate) {
      entries.push_back(coordinate_entry(reader, header, size.nodes, fields));
      continue;
    }
    if (fields.size() != 1) {
      throw DataError("{}: found {} fields, expected one weight", reader.place(), fields.size());
    }
    const double weight = reader.number(fields[0]);
    if (weight != 0) entries.push_back({row, column, weight});
    if (++row == size.nodes) row = header.symmetric ? ++column : (++column, 0);
  }
  if (count != size.entries) {
    throw DataError("{}: ends after {} of {} entries claimed", reader.name(), count, size.entries);
  }
  return entries;
}

WeightRows compress(NodeId nodes, std::vector<Entry> entries, const std::string& name) {
  const auto cell = [](const Entry& entry) { return std::pair(entry.row, entry.column); };
  std::ranges::sort(entries, {}, cell);
  if (const auto twice = std::ranges::adjacent_find(entries, {}, cell); twice != entries.end()) {
    throw DataError("{}: entry {} {} is given twice", name, twice->row + 1, twice->column + 1);
  }
  WeightRows rows;
  auto entry = entries.begin();
  for (NodeId i = 0; i < nodes; ++i) {
    for (; entry != entries.end() && entry->row == i; ++entry) {
      rows.add(entry->column, entry->weight);
    }
    rows.end_row();
  }
  return rows;
}

}  // namespace

MixingMatrix read_mixing_matrix(const std::filesystem::path& path) {
  LineReader reader(path, "");
  const Header header = read_header(reader);
  const Size size = read_size(reader, header);
  std::vector<Entry> entries = read_entries(reader, header, size);
  if (header.symmetric) {
    const std::size_t listed = entries.size();
    for (std::size_t k = 0; k < listed; ++k) {
      const Entry entry = entries[k];
      if (entry.row != entry.column) entries.push_back({entry.column, entry.row, entry.weight});
    }
  }
  // Checked before memory is taken for the rows that the file claims: a row that sums to 1 has an
  // entry.
  if (std::ssize(entries) < size.nodes) {
    throw DataError("{}: {} entries cannot fill {} rows that each sum to 1", reader.name(),
                    entries.size(), size.nodes);
  }
  return MixingMatrix(compress(size.nodes, std::move(entries), reader.name()), reader.name());
}

void write_matrix_market(const std::filesystem::path& path, const MixingMatrix& mixing) {
  std::string text;
  auto out = std::back_inserter(text);
  std::int64_t entries = mixing.edges();
  for (NodeId i = 0; i < mixing.nodes(); ++i) entries += mixing.self_weight(i) != 0 ? 1 : 0;
  fmt::format_to(out, "%%MatrixMarket matrix coordinate real symmetric\n{} {} {}\n", mixing.nodes(),
                 mixing.nodes(), entries);
  for (NodeId i = 0; i < mixing.nodes(); ++i) {
    const auto [nodes, weights] = mixing.row(i);
    for (std::size_t k = 0; k < nodes.size() && nodes[k] <= i; ++k) {
      if (weights[k] != 0) fmt::format_to(out, "{} {} {}\n", i + 1, nodes[k] + 1, weights[k]);
    }
  }
  write_file_atomically(path, text);
}

}  // namespace driftless
