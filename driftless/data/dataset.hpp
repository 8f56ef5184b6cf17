#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "driftless/base/types.hpp"

namespace driftless {

using SampleId = std::int32_t;  // 0 … samples − 1 within a dataset

// Grey images, one after the other, row by row. A model sees (pixel / 255 − mean) / deviation.
struct Images {
  int rows = 0;
  int columns = 0;
  double mean = 0;
  double deviation = 1;
  std::vector<std::uint8_t> pixels{};
  std::vector<SampleId> places{};  // of each sample among those kept; empty: all are kept

  const std::uint8_t* operator[](SampleId sample) const {
    const SampleId place = places.empty() ? sample : places[static_cast<std::size_t>(sample)];
    return pixels.data() + static_cast<std::size_t>(place) * rows * columns;
  }
};

// Samples whose features are mostly zero: sample s has the entries starts[s] … starts[s + 1] − 1,
// features ascending.
struct SparseRows {
  std::vector<std::int64_t> starts{0};
  std::vector<std::int32_t> features{};  // from 0
  std::vector<double> values{};
};

// Samples as the rows of a table, one after the other.
struct DenseRows {
  std::vector<double> values{};    // samples × features
  std::vector<SampleId> places{};  // of each sample among those kept; empty: all are kept

  const double* row(SampleId sample, Index features) const {
    const Index place = places.empty() ? sample : places[static_cast<std::size_t>(sample)];
    return values.data() + place * features;
  }
};

// Samples with what is to be learnt of them, classes or numbers, loaded once and shared by all
// nodes of all runs. Labels and targets are those of all samples. The inputs may be those of some
// samples only; nobody asks for the others.
struct Dataset {
  Index features = 0;
  std::vector<std::string> feature_names{};  // of the columns; empty: the file names none
  std::vector<std::int32_t> labels{};        // of each sample, an index into class_names
  std::vector<std::string> class_names{};    // as the file has them: "0" … "9", or "-1" and "1"
  std::vector<std::string> class_places{};   // where each class first occurs: "file:line"
  std::vector<double> targets{};             // of each sample, where numbers are learnt
  SampleId unlabelled = 0;  // how many samples there are that have neither label nor target
  std::variant<Images, SparseRows, DenseRows> inputs{};
  std::uint64_t fingerprint = 0;  // of all samples, kept or not

  SampleId samples() const {
    return unlabelled + static_cast<SampleId>(labels.size() + targets.size());
  }
  int classes() const { return static_cast<int>(class_names.size()); }
  // Null where the samples are no images.
  const Images* images() const { return std::get_if<Images>(&inputs); }
};

// What was done to each feature of a table: (value − mean) / deviation.
struct Standardisation {
  std::vector<double> mean{};
  std::vector<double> deviation{};
};

// What a problem is made of: the test set has the features, the classes and the normalisation of
// the training set.
struct LabelledData {
  Dataset train{};
  std::optional<Dataset> test{};
  std::optional<Standardisation> standardised{};  // unset: features are as the files have them
};

// Chooses the training samples whose inputs are kept. It is called when the labels and classes are
// known, before any input is read. Without a function, all are kept.
using ChooseSamples = std::function<std::vector<bool>(const Dataset& train)>;

// out ← the sample as a dense vector of `features` numbers, normalised.
template <class Real>
void read_sample(const Dataset& data, SampleId sample, Real* out);

std::vector<SampleId> every_sample(const Dataset& data);  // 0 … samples − 1

// The samples of every node, as indices into one shared dataset.
using Partition = std::vector<std::vector<SampleId>>;

}  // namespace driftless
