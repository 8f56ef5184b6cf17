#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "driftless/report/figure_choice.hpp"

namespace driftless {

// What a command that shows a figure is asked to show.
struct ChoiceRequest {
  FigureChoice choice;
  std::vector<std::string> only;
  std::string scale;
};

// --metric, --against, --scale, --panels, --only. The request must live as long as the command.
void add_choice_options(CLI::App* command, ChoiceRequest& request);

// The choice with all that was asked for. Throws ConfigError.
FigureChoice choice_of(const ChoiceRequest& request);

}  // namespace driftless
