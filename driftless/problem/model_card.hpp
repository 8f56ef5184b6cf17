#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driftless/data/dataset.hpp"

namespace driftless {

// All that makes parameters a model that can be used on new samples.
struct ModelCard {
  std::string kind = {};  // "softmax", …
  std::vector<Index> hidden = {};
  bool intercept = true;
  std::string label = {};  // the column that was learnt
  // Without samples: features and their names, classes, and how images are normalised.
  Dataset shape = {};
  std::optional<Standardisation> standardised = {};
};

}  // namespace driftless
