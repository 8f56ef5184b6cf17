#pragma once

#include <nlohmann/json.hpp>

#include "driftless/report/comparison.hpp"
#include "driftless/report/figure_choice.hpp"

namespace driftless {

// All that a report shows, as page/page.js and page/figure.js read it: what is shown
// first, the groups with their curves and final figures, the networks, the settings, and where the
// runs come from.
nlohmann::ordered_json report_data(const std::vector<RecordedRun>& runs,
                                   const Comparison& comparison, const FigureChoice& choice);

}  // namespace driftless
