#include "driftless/record/metrics_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <fstream>
#include <system_error>

#include "driftless/base/error.hpp"
#include "driftless/record/csv.hpp"

namespace driftless {

namespace {

// False where the line does not have a value for each column.
bool read_row(std::string_view line, Metrics& row) {
  for (const MetricColumn& column : metric_columns()) {
    const std::size_t end = std::min(line.find(','), line.size());
    if (!column.read(line.substr(0, end), row)) return false;
    const bool last = &column == &metric_columns().back();
    if (last != (end == line.size())) return false;
    if (!last) line.remove_prefix(end + 1);
  }
  return true;
}

}  // namespace

std::string metrics_header() {
  std::vector<std::string> names;
  for (const MetricColumn& column : metric_columns()) names.emplace_back(column.name);
  return csv_line(names);
}

std::string metrics_line(const Metrics& row) {
  std::vector<std::string> fields;
  for (const MetricColumn& column : metric_columns()) fields.push_back(column.text(row));
  return csv_line(fields);
}

std::vector<Metrics> read_metrics(const std::filesystem::path& file) {
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    throw DataError(fmt::format("{}: cannot be read: {}", file.string(),
                                std::generic_category().message(errno)));
  }
  std::string line;
  std::getline(stream, line);
  if (line + '\n' != metrics_header()) {
    throw DataError(fmt::format("{}:1: not the columns of metrics.csv; expected {}", file.string(),
                                metrics_header()));
  }
  std::vector<Metrics> rows;
  // At the end of the file a line without its break is torn.
  while (std::getline(stream, line) && !stream.eof()) {
    Metrics row;
    if (!read_row(line, row)) break;
    rows.push_back(row);
  }
  return rows;
}

}  // namespace driftless
