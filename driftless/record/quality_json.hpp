#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "driftless/experiment/quality.hpp"

namespace driftless {

// The quality of a run's models as summary.json tells it.
nlohmann::ordered_json quality_json(const RunQuality& quality,
                                    std::span<const std::string> class_names);

}  // namespace driftless
