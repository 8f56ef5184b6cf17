#include "driftless/data/csv.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "driftless/base/error.hpp"
#include "driftless/base/text.hpp"
#include "driftless/data/csv_columns.hpp"
#include "driftless/data/csv_scanner.hpp"
#include "driftless/data/decimal.hpp"
#include "driftless/data/labels.hpp"

namespace driftless {
namespace {

using Fields = std::vector<std::string_view>;

bool is_missing(std::string_view text) {
  constexpr std::array<std::string_view, 6> marks = {"", "na", "n/a", "nan", "null", "?"};
  constexpr std::size_t longest_mark = 4;
  if (text.size() > longest_mark) return false;
  return std::ranges::find(marks, bare_letters(text)) != marks.end();
}

class TableReader {
 public:
  TableReader(const std::filesystem::path& path, const ReadOptions& options, const Dataset* like)
      : scanner_(path, options.delimiter),
        labels_(options, like, [this](std::int64_t line) { return scanner_.place(line); }) {
    Fields header;
    if (!scanner_.next(header)) {
      throw DataError("{}: is empty, expected a line of column names", scanner_.file().name());
    }
    columns_ = csv_columns(header, options, like, scanner_.place());
    row_.resize(columns_.features.size());
  }

  Dataset read() {
    Fields fields;
    std::int64_t samples = 0;
    for (; scanner_.next(fields); ++samples) {
      read_line(fields);
      if (samples == samples_to_guess_by) reserve();
    }
    if (samples == 0) {
      throw DataError("{}: holds no sample, only the names of columns", scanner_.file().name());
    }
    Dataset data{.features = static_cast<Index>(columns_.features.size())};
    for (const std::size_t column : columns_.features) {
      data.feature_names.push_back(columns_.names[column]);
    }
    Fingerprint inputs;
    inputs.add_numbers(values_);
    labels_.hand_over(data, inputs);
    data.inputs = DenseRows{.values = std::move(values_)};
    return data;
  }

 private:
  static constexpr std::int64_t samples_to_guess_by = 1000;

  void read_line(const Fields& fields) {
    if (fields.size() != columns_.names.size()) {
      throw DataError("{}: found {} fields, expected {}, as many as there are names of columns",
                      scanner_.place(), fields.size(), columns_.names.size());
    }
    for (std::size_t k = 0; k < row_.size(); ++k) {
      const std::size_t column = columns_.features[k];
      const auto value = parse_decimal(fields[column]);
      row_[k] = value ? *value : padded_number(fields[column], column);
    }
    values_.insert(values_.end(), row_.begin(), row_.end());
    const std::string_view label = columns_.label ? trimmed(fields[*columns_.label]) : "";
    if (columns_.label && is_missing(label) && !labels_.knows(label)) {
      refuse_missing(*columns_.label);
    }
    labels_.add(label, scanner_.line());
  }

  // What is no number as it stands: one between blanks, or a fault.
  double padded_number(std::string_view field, std::size_t column) const {
    const std::string_view text = trimmed(field);
    if (const auto value = parse_decimal(text)) return *value;
    if (is_missing(text)) refuse_missing(column);
    constexpr std::size_t longest = 40;
    throw DataError("{}: column \"{}\": found \"{}\", expected a finite number; correct it, or {}",
                    scanner_.place(), columns_.names[column], text.substr(0, longest),
                    "name the column in ignore");
  }

  [[noreturn]] void refuse_missing(std::size_t column) const {
    throw DataError("{}: column \"{}\": the value is missing; fill it in or remove the line",
                    scanner_.place(), columns_.names[column]);
  }

  // Takes room for all rows if they go on as they begin, so that a large table is not copied as it
  // grows. What packed data unpack to is not known.
  void reserve() {
    if (scanner_.file().packed()) return;
    const double size = static_cast<double>(scanner_.file().file_size());
    const double times = 1.01 * size / static_cast<double>(scanner_.bytes_done());
    values_.reserve(static_cast<std::size_t>(times * static_cast<double>(values_.size())));
  }

  CsvScanner scanner_;
  LabelGatherer labels_;
  CsvColumns columns_;
  std::vector<double> row_;
  std::vector<double> values_;
};

}  // namespace

Dataset read_csv(const std::filesystem::path& path, const ReadOptions& options,
                 const Dataset* like) {
  return TableReader(path, options, like).read();
}

}  // namespace driftless
