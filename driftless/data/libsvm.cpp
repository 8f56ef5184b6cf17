#include "driftless/data/libsvm.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "driftless/base/error.hpp"
#include "driftless/base/fingerprint.hpp"
#include "driftless/base/function_ref.hpp"
#include "driftless/base/line_reader.hpp"
#include "driftless/base/text.hpp"
#include "driftless/data/decimal.hpp"
#include "driftless/data/labels.hpp"

namespace driftless {
namespace {

constexpr std::int64_t most_features = 1'000'000'000;

class SampleReader {
 public:
  SampleReader(const std::filesystem::path& path, const ReadOptions& options, const Dataset* like)
      : lines_(path, "#"),
        options_(options),
        like_(like),
        labels_(options, like, [name = lines_.name()](std::int64_t line) {
          return fmt::format("{}:{}", name, line);
        }) {}

  // The entries of the samples that are not kept take no memory.
  Dataset read(FunctionRef<bool(std::size_t sample)> keep) {
    SparseRows rows;
    std::int64_t features = 0;
    Fingerprint all;
    std::size_t samples = 0;
    std::vector<std::string_view> fields;
    for (; lines_.next(fields); ++samples) {
      const bool kept = keep(samples);
      Entry last;
      for (std::size_t k = read_label(fields[0]); k < fields.size(); ++k) {
        last = entry(fields[k], k + 1, last.index);
        all.add_number(last.index);
        all.add_number(last.value);
        if (!kept) continue;
        rows.features.push_back(static_cast<std::int32_t>(last.index - 1));
        rows.values.push_back(last.value);
      }
      all.add_number(last.index);  // so that an entry is of one sample and of no other
      features = std::max(features, last.index);
      rows.starts.push_back(std::ssize(rows.values));
    }
    if (samples == 0) throw DataError("{}: holds no sample", lines_.name());
    if (like_ == nullptr && features == 0) {
      throw DataError("{}: holds no feature, expected lines of \"label index:value ...\"",
                      lines_.name());
    }
    Dataset data{.features = like_ != nullptr ? like_->features : features,
                 .inputs = std::move(rows)};
    labels_.hand_over(data, all);
    return data;
  }

 private:
  // Returns how many fields the label takes: one, or none where none is read and none is there.
  std::size_t read_label(std::string_view field) {
    const bool read = options_.label_type != LabelType::none;
    if (read && !parse_decimal(field)) fail(1, field, "a finite number as the label");
    labels_.add(field, lines_.line());
    return read || field.find(':') == std::string_view::npos ? 1 : 0;
  }

  struct Entry {
    std::int64_t index = 0;
    double value = 0;
  };
  Entry entry(std::string_view field, std::size_t place, std::int64_t last) const {
    const std::size_t colon = field.find(':');
    if (colon == std::string_view::npos) fail(place, field, "index:value");
    const auto index = parse_integer(field.substr(0, colon));
    if (!index || *index < 1 || *index > most_index()) {
      fail(place, field, fmt::format("an index from 1 to {}", most_index()));
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

  std::int64_t most_index() const { return like_ != nullptr ? like_->features : most_features; }

  LineReader lines_;
  const ReadOptions& options_;
  const Dataset* like_;
  LabelGatherer labels_;
};

}  // namespace

Dataset read_libsvm(const std::filesystem::path& path, const ReadOptions& options,
                    const Dataset* like, const ChooseSamples& choose) {
  if (!choose) return SampleReader(path, options, like).read([](std::size_t) { return true; });
  const Dataset all = SampleReader(path, options, like).read([](std::size_t) { return false; });
  const std::vector<bool> chosen = choose(all);
  Dataset kept = SampleReader(path, options, like).read([&](std::size_t sample) {
    return sample < chosen.size() && chosen[sample];
  });
  if (kept.fingerprint != all.fingerprint) {
    throw DataError("{}: was changed while it was read", path.string());
  }
  return kept;
}

}  // namespace driftless
