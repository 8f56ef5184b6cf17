#pragma once

#include <nlohmann/json.hpp>

#include "driftless/report/comparison.hpp"

namespace driftless {

// The different weathers that nodes or links were down in, those of other repetitions left out,
// with the groups that met them; the first few have a ribbon, or the reason why there is none.
nlohmann::ordered_json weathers_json(const Comparison& comparison);

}  // namespace driftless
