#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "driftless/report/comparison.hpp"

namespace driftless {

// The groups as the page reads them: their curves, thinned, and their final figures. `band` is
// what is shown of repetitions beside their mean, as FigureChoice has it. Where that is left open,
// a group of few repetitions has the curve of each, unless there are so many that a page of them
// would be large and slow. `thinned` becomes how many rows there were, how many are left and how
// far the others lie off.
nlohmann::ordered_json group_data(const Comparison& comparison, std::string_view band,
                                  nlohmann::ordered_json& thinned);

}  // namespace driftless
