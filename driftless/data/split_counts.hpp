#pragma once

#include <vector>

#include "driftless/data/dataset.hpp"

namespace driftless {

// counts[i][k]: how many samples of class k node i has.
using SplitCounts = std::vector<std::vector<std::int64_t>>;

inline SplitCounts count_classes(const Dataset& data, const Partition& partition) {
  SplitCounts counts;
  for (const auto& samples : partition) {
    auto& node = counts.emplace_back(static_cast<std::size_t>(data.classes()));
    for (const SampleId sample : samples) ++node[data.labels[sample]];
  }
  return counts;
}

}  // namespace driftless
