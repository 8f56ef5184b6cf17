#pragma once

#include <filesystem>

#include "driftless/data/dataset.hpp"
#include "driftless/data/read_options.hpp"

namespace driftless {

// A table of numbers as CSV, plain or gzip, with a line of column names above it. The column
// options.label is what is to be learnt, all others but options.ignore are features. With `like`,
// the training set, the features and the classes are the same; where no labels are read, the
// columns of `like` are picked by their names. A fault is a DataError with its line and column.
Dataset read_csv(const std::filesystem::path& path, const ReadOptions& options,
                 const Dataset* like = nullptr);

}  // namespace driftless
