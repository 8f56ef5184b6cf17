#include "driftless/data/libsvm.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>

#include "driftless/base/error.hpp"
#include "driftless/base/fingerprint.hpp"
#include "driftless/base/function_ref.hpp"
#include "driftless/base/line_reader.hpp"
#include "driftless/base/text.hpp"

namespace driftless {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t most_features = 1'000'000'000;
constexpr std::size_t most_samples = std::numeric_limits<SampleId>::max();

using Classes = std::map<double, std::int32_t>;  // a number for each label

struct SparseSamples {
  std::vector<std::int32_t> labels;  // by the numbers of `classes`
  Classes classes;                   // numbered as they first occur, or those of the bounds
  std::int64_t features = 0;         // the largest index
  SparseRows rows;                   // of the samples that were kept; the others' are empty
  Fingerprint all;
};

// What a test file may hold; a training file may hold anything.
struct Bounds {
  std::int64_t features = most_features;
  const Classes* classes = nullptr;
};

class SampleReader {
 public:
  SampleReader(const fs::path& path, const Bounds& bounds) : lines_(path, "#"), bounds_(bounds) {}

  SparseSamples read(FunctionRef<bool(std::size_t sample)> keep) {
    SparseSamples samples;
    if (bounds_.classes != nullptr) samples.classes = *bounds_.classes;
    std::vector<std::string_view> fields;
    while (lines_.next(fields)) {
      if (samples.labels.size() == most_samples) {
        throw DataError("{}: more than {} samples", lines_.place(), most_samples);
      }
      const bool kept = keep(samples.labels.size());
      const double label = label_of(fields[0]);
      const auto next_class = static_cast<std::int32_t>(samples.classes.size());
      samples.labels.push_back(samples.classes.try_emplace(label, next_class).first->second);
      Entry last;
      for (std::size_t k = 1; k < fields.size(); ++k) {
        last = entry(fields[k], k + 1, last.index);
        samples.all.add_number(last.index);
        samples.all.add_number(last.value);
        if (!kept) continue;
        samples.rows.features.push_back(static_cast<std::int32_t>(last.index - 1));
        samples.rows.values.push_back(last.value);
      }
      samples.features = std::max(samples.features, last.index);
      samples.all.add_number(label);
      samples.rows.starts.push_back(std::ssize(samples.rows.values));
    }
    if (samples.labels.empty()) throw DataError("{}: holds no sample", lines_.name());
    if (bounds_.classes == nullptr && samples.features == 0) {
      throw DataError("{}: holds no feature, expected lines of \"label index:value ...\"",
                      lines_.name());
    }
    return samples;
  }

 private:
  double label_of(std::string_view field) const {
    const auto value = parse_number(field);
    if (!value || !std::isfinite(*value)) fail(1, field, "a finite number as the label");
    if (bounds_.classes != nullptr && !bounds_.classes->contains(*value)) {
      fail(1, field, "a label of the training file");
    }
    return *value + 0.0;  // −0 and 0 are one class
  }

  struct Entry {
    std::int64_t index = 0;
    double value = 0;
  };
  Entry entry(std::string_view field, std::size_t place, std::int64_t last) const {
    const std::size_t colon = field.find(':');
    if (colon == std::string_view::npos) fail(place, field, "index:value");
    const auto index = parse_integer(field.substr(0, colon));
    if (!index || *index < 1 || *index > bounds_.features) {
      fail(place, field, fmt::format("an index from 1 to {}", bounds_.features));
    }
    if (*index <= last) fail(place, field, fmt::format("an index above {}: they ascend", last));
    const auto value = parse_number(field.substr(colon + 1));
    if (!value || !std::isfinite(*value)) fail(place, field, "a finite value after the colon");
    return {*index, *value};
  }

  [[noreturn]] void fail(std::size_t place, std::string_view field,
                         const std::string& expected) const {
    constexpr std::size_t longest = 40;
    throw DataError("{}: field {}: found \"{}\", expected {}", lines_.place(), place,
                    field.substr(0, longest), expected);
  }

  LineReader lines_;
  Bounds bounds_;
};

// Numbers the classes of the samples anew: they ascend.
void sort_classes(SparseSamples& samples) {
  std::vector<std::int32_t> ascending(samples.classes.size());
  std::int32_t next = 0;
  for (auto& [label, number] : samples.classes) {
    ascending[number] = next;
    number = next++;
  }
  for (std::int32_t& label : samples.labels) label = ascending[label];
}

Dataset dataset(SparseSamples samples, Index features) {
  Dataset data{.features = features,
               .labels = std::move(samples.labels),
               .inputs = std::move(samples.rows),
               .fingerprint = samples.all.value()};
  for (const auto& [label, number] : samples.classes)
    data.class_names.push_back(fmt::format("{}", label));
  return data;
}

}  // namespace

LabelledData read_libsvm(const fs::path& train, const std::optional<fs::path>& test,
                         const ChooseSamples& choose) {
  const auto all = [](std::size_t) { return true; };
  const auto none = [](std::size_t) { return false; };
  SparseSamples samples =
      choose ? SampleReader(train, {}).read(none) : SampleReader(train, {}).read(all);
  sort_classes(samples);
  const Classes classes = samples.classes;
  const std::int64_t features = samples.features;

  LabelledData data{.train = dataset(std::move(samples), features)};
  if (choose) {
    const std::vector<bool> chosen = choose(data.train);
    SparseSamples kept = SampleReader(train, {}).read(
        [&](std::size_t sample) { return sample < chosen.size() && chosen[sample]; });
    if (kept.all.value() != data.train.fingerprint) {
      throw DataError("{}: was changed while it was read", train.string());
    }
    data.train.inputs = std::move(kept.rows);
  }
  if (test) data.test = dataset(SampleReader(*test, {features, &classes}).read(all), features);
  return data;
}

}  // namespace driftless
