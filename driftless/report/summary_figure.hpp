#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "driftless/report/figure_choice.hpp"

namespace driftless {

// A figure of what runs came to (choice.y) against a key (choice.x): as page/summary_figure.js
// reads it.
nlohmann::ordered_json summary_data(const Comparison& comparison, const FigureChoice& choice);

// The methods that have no number for the key, and so no place in the figure.
std::set<std::string> methods_without_place(const Comparison& comparison,
                                            const FigureChoice& choice);

// The same as numbers: a line for each group with its keys, how many runs it has, how many of them
// reached a number, their mean with half its 95 % interval where all did, and their extremes.
std::string summary_csv(const Comparison& comparison, const FigureChoice& choice);

}  // namespace driftless
