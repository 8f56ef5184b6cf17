#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace driftless {

// A file that the page is put together from, which is part of the program: "html" and "waiting",
// or as these name the others where they go: "css" for {{css}}, "figure" for page/figure.js,
// "vega".
std::string_view page_asset(std::string_view name);

// The scripts that define figureSpec() and summarySpec(): figures, which need no page.
std::string figure_scripts();

// The report as one HTML file that needs no other: the data, Vega, and what draws them. Where
// nothing is there to be drawn yet, a page that waits for it.
std::string report_page(const nlohmann::ordered_json& data);

// JSON for the inside of a script element: nothing in it can end the element, and what is not UTF-8
// is replaced.
std::string json_for_script(const nlohmann::ordered_json& data);

}  // namespace driftless
