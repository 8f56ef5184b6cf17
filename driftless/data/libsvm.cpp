#include "driftless/data/libsvm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "driftless/base/line_reader.hpp"
#include "driftless/base/text.hpp"

namespace driftless {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t most_features = 1'000'000'000;
constexpr std::size_t most_samples = std::numeric_limits<SampleId>::max();

struct Samples {
  std::vector<double> labels;
  SparseRows rows;
};

// What a test file may hold; a training file may hold anything.
struct Bounds {
  std::int64_t features = most_features;
  const std::vector<double>* classes = nullptr;
};

// Cuts a comment off the line.
void drop_comment(std::vector<std::string_view>& fields) {
  for (std::size_t k = 0; k < fields.size(); ++k) {
    const std::size_t comment = fields[k].find('#');
    if (comment == std::string_view::npos) continue;
    fields[k] = fields[k].substr(0, comment);
    fields.resize(comment == 0 ? k : k + 1);
  }
}

class SampleReader {
 public:
  SampleReader(const fs::path& path, const Bounds& bounds) : lines_(path), bounds_(bounds) {}

  Samples read() {
    Samples samples;
    std::vector<std::string_view> fields;
    while (lines_.next(fields)) {
      drop_comment(fields);
      if (fields.empty()) continue;
      if (samples.labels.size() == most_samples) {
        lines_.fail(fmt::format("more than {} samples", most_samples));
      }
      samples.labels.push_back(label(fields[0]));
      std::int64_t last = 0;
      for (std::size_t k = 1; k < fields.size(); ++k) {
        last = append_entry(fields[k], k + 1, last, samples.rows);
      }
      samples.rows.starts.push_back(std::ssize(samples.rows.values));
    }
    if (samples.labels.empty()) lines_.fail_file("holds no sample");
    if (bounds_.classes == nullptr && samples.rows.values.empty()) {
      lines_.fail_file("holds no feature, expected lines of \"label index:value ...\"");
    }
    return samples;
  }

 private:
  double label(std::string_view field) const {
    const auto value = parse_number(field);
    if (!value || !std::isfinite(*value)) fail(1, field, "a finite number as the label");
    if (bounds_.classes != nullptr && !std::ranges::binary_search(*bounds_.classes, *value)) {
      fail(1, field, "a label of the training file");
    }
    return *value + 0.0;  // −0 and 0 are one class
  }

  // Returns the entry's index.
  std::int64_t append_entry(std::string_view field, std::size_t place, std::int64_t last,
                            SparseRows& rows) const {
    const std::size_t colon = field.find(':');
    if (colon == std::string_view::npos) fail(place, field, "index:value");
    const auto index = parse_integer(field.substr(0, colon));
    if (!index || *index < 1 || *index > bounds_.features) {
      fail(place, field, fmt::format("an index from 1 to {}", bounds_.features));
    }
    if (*index <= last) fail(place, field, fmt::format("an index above {}: they ascend", last));
    const auto value = parse_number(field.substr(colon + 1));
    if (!value || !std::isfinite(*value)) fail(place, field, "a finite value after the colon");
    rows.features.push_back(static_cast<std::int32_t>(*index - 1));
    rows.values.push_back(*value);
    return *index;
  }

  [[noreturn]] void fail(std::size_t place, std::string_view field,
                         const std::string& expected) const {
    constexpr std::size_t longest = 40;
    lines_.fail(fmt::format("field {}: found \"{}\", expected {}", place, field.substr(0, longest),
                            expected));
  }

  LineReader lines_;
  Bounds bounds_;
};

Dataset dataset(Samples samples, const std::vector<double>& classes, Index features) {
  Dataset data{.features = features, .inputs = std::move(samples.rows)};
  for (const double label : samples.labels) {
    const auto found = std::ranges::lower_bound(classes, label);
    data.labels.push_back(static_cast<std::int32_t>(found - classes.begin()));
  }
  for (const double label : classes) data.class_names.push_back(fmt::format("{}", label));
  return data;
}

}  // namespace

LabelledData read_libsvm(const fs::path& train, const std::optional<fs::path>& test) {
  Samples samples = SampleReader(train, {}).read();
  std::vector<double> classes = samples.labels;
  std::ranges::sort(classes);
  classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
  const std::int32_t features = std::ranges::max(samples.rows.features) + 1;

  LabelledData data{.train = dataset(std::move(samples), classes, features)};
  if (test) {
    data.test = dataset(SampleReader(*test, {features, &classes}).read(), classes, features);
  }
  return data;
}

}  // namespace driftless
