#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/data/dataset.hpp"
#include "driftless/data/read_options.hpp"

namespace driftless {

// What the columns of a table are for.
struct CsvColumns {
  std::vector<std::string> names;     // of all columns
  std::vector<std::size_t> features;  // the column of each feature
  std::optional<std::size_t> label;   // none: labels are not read
};

// The columns that the header names; all but the label and those to ignore are features. The table
// has the features of `like`, if given, in the same order; where no labels are read, they may be
// anywhere among others. Throws DataError that begins with `place`.
CsvColumns csv_columns(const std::vector<std::string_view>& header, const ReadOptions& options,
                       const Dataset* like, const std::string& place);

}  // namespace driftless
