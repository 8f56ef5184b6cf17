#include "driftless/graph/matrix_market.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string>
#include <tuple>
#include <vector>

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

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return result;
}

Header read_header(LineReader& reader) {
  std::vector<std::string_view> fields;
  if (!reader.next(fields)) reader.fail_file("is empty");
  if (fields.size() != 5 || fields[0] != "%%MatrixMarket" || lower_case(fields[1]) != "matrix") {
    reader.fail(
        "expected a Matrix Market file, such as \"%%MatrixMarket matrix coordinate real "
        "symmetric\"");
  }
  const std::string format = lower_case(fields[2]);
  const std::string field = lower_case(fields[3]);
  const std::string symmetry = lower_case(fields[4]);
  if (format != "coordinate" && format != "array") {
    reader.fail(fmt::format("found format \"{}\", expected coordinate or array", format));
  }
  if (field == "pattern") {
    reader.fail(
        "a pattern has no weights, expected real or integer; give the graph as an edge list to "
        "have weights made");
  }
  if (field != "real" && field != "integer") {
    reader.fail(fmt::format("found field \"{}\", expected real or integer", field));
  }
  if (symmetry != "general" && symmetry != "symmetric") {
    reader.fail(fmt::format("found symmetry \"{}\", expected general or symmetric", symmetry));
  }
  return {format == "coordinate", symmetry == "symmetric"};
}

// The next line that is neither blank nor a comment.
bool next_data(LineReader& reader, std::vector<std::string_view>& fields) {
  while (reader.next(fields)) {
    if (!fields.empty() && !fields[0].starts_with('%')) return true;
  }
  return false;
}

// The entries as listed. Memory grows with what the file holds, never with what it claims.
class EntryReader {
 public:
  EntryReader(LineReader& reader, Header header) : reader_(reader), header_(header) {
    std::vector<std::string_view> fields;
    const std::size_t expected = header.coordinate ? 3 : 2;
    if (!next_data(reader, fields)) reader.fail_file("ends before its size line");
    if (fields.size() != expected) {
      reader.fail(
          fmt::format("found {} fields, expected {}", fields.size(),
                      header.coordinate ? "rows, columns and entries" : "rows and columns"));
    }
    const std::int64_t rows = reader.integer(fields[0], 1, max_nodes);
    const std::int64_t columns = reader.integer(fields[1], 1, max_nodes);
    if (rows != columns) {
      reader.fail(
          fmt::format("found {} rows and {} columns, expected a square matrix", rows, columns));
    }
    nodes_ = static_cast<NodeId>(rows);
    claimed_ = header.coordinate  ? reader.integer(fields[2], 0, rows * rows)
               : header.symmetric ? rows * (rows + 1) / 2
                                  : rows * rows;
  }

  NodeId nodes() const { return nodes_; }

  std::vector<Entry> read() {
    std::vector<Entry> entries;
    std::vector<std::string_view> fields;
    std::int64_t count = 0;
    NodeId row = 0;  // the place in an array
    NodeId column = 0;
    while (next_data(reader_, fields)) {
      if (++count > claimed_)
        reader_.fail(fmt::format("more than the {} entries claimed", claimed_));
      if (header_.coordinate) {
        entries.push_back(coordinate_entry(fields));
        continue;
      }
      if (fields.size() != 1) {
        reader_.fail(fmt::format("found {} fields, expected one weight", fields.size()));
      }
      const double weight = reader_.number(fields[0]);
      if (weight != 0) entries.push_back({row, column, weight});
      if (++row == nodes_) row = header_.symmetric ? ++column : (++column, 0);
    }
    if (count != claimed_) {
      reader_.fail_file(fmt::format("ends after {} of {} entries claimed", count, claimed_));
    }
    return entries;
  }

 private:
  Entry coordinate_entry(const std::vector<std::string_view>& fields) const {
    if (fields.size() != 3) {
      reader_.fail(fmt::format("found {} fields, expected row, column and weight", fields.size()));
    }
    const Entry entry{static_cast<NodeId>(reader_.integer(fields[0], 1, nodes_)) - 1,
                      static_cast<NodeId>(reader_.integer(fields[1], 1, nodes_)) - 1,
                      reader_.number(fields[2])};
    if (header_.symmetric && entry.row < entry.column) {
      reader_.fail("above the diagonal: a symmetric file lists the lower triangle only");
    }
    return entry;
  }

  LineReader& reader_;
  Header header_;
  NodeId nodes_ = 0;
  std::int64_t claimed_ = 0;
};

WeightRows compress(NodeId nodes, std::vector<Entry> entries, const LineReader& reader) {
  std::sort(entries.begin(), entries.end(), [](const Entry& left, const Entry& right) {
    return std::tie(left.row, left.column) < std::tie(right.row, right.column);
  });
  WeightRows rows;
  rows.start.assign(nodes + 1, 0);
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const Entry& entry = entries[k];
    if (k > 0 && entries[k - 1].row == entry.row && entries[k - 1].column == entry.column) {
      reader.fail_file(fmt::format("entry {} {} is given twice", entry.row + 1, entry.column + 1));
    }
    rows.nodes.push_back(entry.column);
    rows.weights.push_back(entry.weight);
    rows.start[entry.row + 1] = k + 1;
  }
  // A row without entries begins where the one before it ends.
  for (NodeId i = 0; i < nodes; ++i) rows.start[i + 1] = std::max(rows.start[i + 1], rows.start[i]);
  return rows;
}

}  // namespace

MixingMatrix read_mixing_matrix(const std::filesystem::path& path) {
  LineReader reader(path);
  const Header header = read_header(reader);
  EntryReader entry_reader(reader, header);
  const NodeId nodes = entry_reader.nodes();
  std::vector<Entry> entries = entry_reader.read();
  if (header.symmetric) {
    const std::size_t listed = entries.size();
    for (std::size_t k = 0; k < listed; ++k) {
      const Entry entry = entries[k];
      if (entry.row != entry.column) entries.push_back({entry.column, entry.row, entry.weight});
    }
  }
  // Checked before memory is taken for the rows that the file claims: a row that sums to 1 has an
  // entry.
  if (std::ssize(entries) < nodes) {
    reader.fail_file(
        fmt::format("{} entries cannot fill {} rows that each sum to 1", entries.size(), nodes));
  }
  return MixingMatrix(compress(nodes, std::move(entries), reader), path.string());
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
