#include "driftless/cli/choice_options.hpp"

#include "driftless/cli/commands.hpp"

namespace driftless {

void add_choice_options(CLI::App* command, ChoiceRequest& request) {
  add_option(command, "--metric", request.choice.metric,
             "the column to show (default: suboptimality, or else loss); on the page, first",
             "COLUMN");
  add_option(command, "--against", request.choice.against,
             "round (default), gradients, passes, bytes_total, bytes_busiest or seconds", "COLUMN");
  add_option(command, "--scale", request.scale,
             "log or linear (default: log where the metric spans more than a power of ten)", "NAME")
      ->check(CLI::IsMember({"log", "linear"}));
  add_option(command, "--panels", request.choice.panels,
             "a panel for each value of this key, of all other keys (all), or none (default: all "
             "where that gives at most 12)",
             "KEY");
  add_option(command, "--only", request.only, "show only runs with this value; may be repeated",
             "KEY=VALUE")
      ->allow_extra_args(false);
}

FigureChoice choice_of(const ChoiceRequest& request) {
  FigureChoice choice = request.choice;
  choice.only = parse_only(request.only);
  if (!request.scale.empty()) choice.log = request.scale == "log";
  return choice;
}

}  // namespace driftless
