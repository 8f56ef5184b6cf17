#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

namespace driftless {

// JSON has no NaN: what is not finite, or not there, is null.
inline nlohmann::ordered_json json_number(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? nlohmann::ordered_json(*value)
                                        : nlohmann::ordered_json(nullptr);
}

}  // namespace driftless
