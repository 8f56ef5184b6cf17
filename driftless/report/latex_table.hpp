#pragma once

#include <string>
#include <string_view>

#include "driftless/report/figure_choice.hpp"

namespace driftless {

// A text as LaTeX sets it: special characters escaped, powers of ten and Greek letters as formulas.
// What stands between two dollar signs is a formula already.
std::string latex_text(std::string_view text);

// What the chosen groups came to as a LaTeX tabular with the rules of the package booktabs: in the
// words of the closing table.
std::string latex_table(const Comparison& comparison, const FigureChoice& choice);

}  // namespace driftless
