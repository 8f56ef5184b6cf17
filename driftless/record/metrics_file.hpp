#pragma once

#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/experiment/metrics.hpp"

namespace driftless {

// The first line of metrics.csv and that of a row, with their line breaks. Fields that are given
// come before.
std::string metrics_header(std::vector<std::string> fields = {});
std::string metrics_line(const Metrics& row, std::vector<std::string> fields = {});

// What a metrics.csv holds, as far as it can be read.
struct RecordedMetrics {
  std::vector<Metrics> rows;
  bool torn = false;  // the last line was not whole, and is left out: a run goes on or was killed
  std::vector<bool> has;   // which of metric_columns() the file has
  std::string fault = {};  // of the first line that cannot be read, with its place; rows end there

  // A field; NaN where the file has no such column, or nothing in it.
  double number(std::size_t row, std::size_t column) const {
    return has[column] ? metric_columns()[column].number(rows[row])
                       : std::numeric_limits<double>::quiet_NaN();
  }
};

inline constexpr Round most_rounds = 4'294'967'294;  // a draw counts rounds in 32 bits

// Columns are found by their names. One that is missing, as in files of older versions, stays
// empty; one that is not known here is passed over. Throws DataError where the file cannot be read,
// has no column of rounds or more than so many rows.
RecordedMetrics read_metrics(const std::filesystem::path& file,
                             std::size_t most_rows = most_rounds + 1);
// The same of a text; `file` is where it is from.
RecordedMetrics parse_metrics(std::string_view contents, const std::filesystem::path& file,
                              std::size_t most_rows = most_rounds + 1);

}  // namespace driftless
