#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

#include "driftless/base/error.hpp"
#include "driftless/data/dataset.hpp"

// What data a model can learn from: each throws ConfigError for others and says which kind of model
// takes those.
namespace driftless::nn {

inline void expect_classes(std::string_view kind, const Dataset& data) {
  if (data.classes() > 0) return;
  throw ConfigError("problem.kind = \"{}\" learns classes, but problem.data has {}; choose linear",
                    kind, data.targets.empty() ? "none" : "numbers");
}

inline void expect_numbers(std::string_view kind, const Dataset& data) {
  if (data.classes() == 0 || !data.targets.empty()) return;
  throw ConfigError(
      "problem.kind = \"{}\" learns numbers, but problem.data has classes: {}; choose {}softmax",
      kind, fmt::join(data.class_names, ", "), data.classes() == 2 ? "logistic or " : "");
}

}  // namespace driftless::nn
