#pragma once

#include <nlohmann/json.hpp>

#include "driftless/report/comparison.hpp"

namespace driftless {

// The groups as the page reads them: their curves, thinned, and their final figures. A group of few
// repetitions has the curve of each beside the mean, unless there are so many that a page of them
// would be large and slow. `thinned` becomes how many rows there were, how many are left and how
// far the others lie off.
nlohmann::ordered_json group_data(const Comparison& comparison, nlohmann::ordered_json& thinned);

}  // namespace driftless
