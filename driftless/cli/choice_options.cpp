#include "driftless/cli/choice_options.hpp"

#include "driftless/base/text.hpp"
#include "driftless/cli/checks.hpp"
#include "driftless/experiment/metrics.hpp"

namespace driftless {
namespace {

std::vector<std::string> cost_columns() {
  std::vector<std::string> names;
  for (const MetricColumn& column : metric_columns())
    if (column.is_cost) names.emplace_back(column.name);
  return names;
}

}  // namespace

void add_choice_options(CLI::App* command, ChoiceRequest& request) {
  add_option(command, "--metric", request.choice.metric,
             "the column to show (default: suboptimality, or else loss); on the page, first",
             "COLUMN");
  add_option(command, "--against", request.choice.against,
             fmt::format("the cost to show it against: {} (default: round)",
                         either_of(views_of(cost_columns()))),
             "COLUMN")
      ->check(takes_one_of(cost_columns()));
  add_option(command, "--scale", request.scale,
             "log or linear (default: log where the metric spans more than a power of ten)", "NAME")
      ->check(takes_one_of({"log", "linear"}));
  add_option(command, "--panels", request.choice.panels,
             "a panel for each value of this key, of all other keys (all), or none (default: all "
             "where that gives at most 12); kind and algorithm.kind are one",
             "KEY");
  add_option(command, "--only", request.only,
             "show only runs with this value, as kind=k-gt; may be repeated", "KEY=VALUE")
      ->allow_extra_args(false);
}

FigureChoice choice_of(const ChoiceRequest& request) {
  FigureChoice choice = request.choice;
  choice.only = parse_pairs("--only", "KEY=VALUE, as in --only kind=k-gt", request.only);
  if (!request.scale.empty()) choice.log = request.scale == "log";
  return choice;
}

}  // namespace driftless
