#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace driftless {

// A file that the page is put together from, which is part of the program: "html", or as the html
// names the others where they go: "css" for {{css}}, "figure" for page/figure.js, "vega".
std::string_view page_asset(std::string_view name);

// The scripts that define figureSpec() and summarySpec(): figures, which need no page.
std::string figure_scripts();

// The report as one HTML file that needs no other: the data, Vega, and what draws them.
std::string report_page(const nlohmann::ordered_json& data);

// JSON for the inside of a script element: nothing in it can end the element, and what is not UTF-8
// is replaced.
std::string json_for_script(const nlohmann::ordered_json& data);

}  // namespace driftless
