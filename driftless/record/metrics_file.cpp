#include "driftless/record/metrics_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "driftless/base/error.hpp"
#include "driftless/base/regular_file.hpp"
#include "driftless/record/csv.hpp"

namespace driftless {
namespace {

constexpr std::uint64_t longest_row = 1'000;  // bytes, on average

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  while (true) {
    const std::size_t comma = line.find(',');
    fields.push_back(line.substr(0, comma));
    if (comma == std::string_view::npos) return fields;
    line.remove_prefix(comma + 1);
  }
}

// The column of each field; null where it is not known here.
std::vector<const MetricColumn*> columns_of(std::string_view header,
                                            const std::filesystem::path& file) {
  const std::vector<std::string_view> names = fields_of(header);
  std::vector<const MetricColumn*> columns(names.size());
  std::ranges::transform(names, columns.begin(), find_metric);
  if (std::ranges::count(names, "round") > 0) return columns;
  throw DataError(
      "{}:1: found \"{}\", expected the names of columns, round among them; is it the "
      "metrics.csv of a run?",
      file.string(), header.substr(0, 60));
}

// What is wrong with the line, whose round must come after `last`; empty: nothing, and the row is
// filled.
std::string read_row(std::string_view line, const std::vector<const MetricColumn*>& columns,
                     Round last, Metrics& row) {
  const std::vector<std::string_view> fields = fields_of(line);
  if (fields.size() != columns.size()) {
    return fmt::format("found {} fields, expected {} as in the first line", fields.size(),
                       columns.size());
  }
  for (std::size_t k = 0; k < fields.size(); ++k) {
    if (columns[k] != nullptr && !columns[k]->read(fields[k], row)) {
      return fmt::format("found \"{}\", expected {}", fields[k].substr(0, 40),
                         columns[k]->name == "round" ? "a round, a whole number" : "a number");
    }
  }
  if (row.round <= last || row.round > most_rounds) {
    return fmt::format("found round {}, expected one from {} to {}: rounds ascend", row.round,
                       last + 1, most_rounds);
  }
  return "";
}

}  // namespace

std::string metrics_header(std::vector<std::string> fields) {
  for (const MetricColumn& column : metric_columns()) fields.emplace_back(column.name);
  return csv_line(fields);
}

std::string metrics_line(const Metrics& row, std::vector<std::string> fields) {
  for (const MetricColumn& column : metric_columns()) fields.push_back(column.text(row));
  return csv_line(fields);
}

RecordedMetrics read_metrics(const std::filesystem::path& file, std::size_t most_rows) {
  return parse_metrics(read_file(file, longest_row * (most_rows + 1)), file, most_rows);
}

RecordedMetrics parse_metrics(std::string_view contents, const std::filesystem::path& file,
                              std::size_t most_rows) {
  RecordedMetrics metrics;
  metrics.has.resize(metric_columns().size());
  std::vector<const MetricColumn*> columns;
  std::string_view rest = contents;
  for (int number = 1; !rest.empty(); ++number) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) {
      metrics.torn = true;
      break;
    }
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    if (number == 1) {
      columns = columns_of(line, file);
      for (const MetricColumn* column : columns)
        if (column != nullptr) metrics.has[metric_index(column->name)] = true;
      continue;
    }
    if (metrics.rows.size() == most_rows) {
      throw DataError(
          "{}:{}: more than {} rows; a larger run.evaluate_every writes fewer, and lines may be "
          "left out of a copy",
          file.string(), number, most_rows);
    }
    const Round last = metrics.rows.empty() ? -1 : metrics.rows.back().round;
    Metrics row;
    if (const std::string fault = read_row(line, columns, last, row); !fault.empty()) {
      metrics.fault = fmt::format("{}:{}: {}", file.string(), number, fault);
      break;
    }
    metrics.rows.push_back(row);
  }
  return metrics;
}

}  // namespace driftless
