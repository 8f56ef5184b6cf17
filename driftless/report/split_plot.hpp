#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "driftless/data/split.hpp"

namespace driftless {

// A picture (SVG) of who has what: a dot for each class of each node, whose area grows with the
// samples. Nodes run along, classes up.
std::string split_plot(std::string_view title, const std::vector<std::string>& class_names,
                       const SplitCounts& counts);

}  // namespace driftless
