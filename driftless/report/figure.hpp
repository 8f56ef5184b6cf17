#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "driftless/report/figure_choice.hpp"

namespace driftless {

// The chosen figure as numbers: a row for each round of each group, with its keys, the cost, and
// the mean with its 95 % interval, and the least and the greatest value.
std::string figure_csv(const Comparison& comparison, const FigureChoice& choice);

// The chosen figure of report_data() or summary_data() as SVG, so many pixels wide: drawn as on the
// page by Vega, under Node.js. Throws ConfigError where there is no `node`.
std::string figure_svg(const nlohmann::ordered_json& data, int width);

// An SVG as PNG with two dots a pixel, or as a PDF of lines and letters, by `rsvg-convert`. Throws
// ConfigError where there is none.
std::string png_of(const std::string& svg);
std::string pdf_of(const std::string& svg);

}  // namespace driftless
