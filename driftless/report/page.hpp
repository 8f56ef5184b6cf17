#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace driftless {

// The report as one HTML file that needs no other: the data, Vega, and what draws them.
std::string report_page(const nlohmann::ordered_json& data);

// JSON for the inside of a script element: nothing in it can end the element, and what is not UTF-8
// is replaced.
std::string json_for_script(const nlohmann::ordered_json& data);

}  // namespace driftless
