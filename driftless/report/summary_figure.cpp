#include "driftless/report/summary_figure.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "driftless/base/named.hpp"
#include "driftless/base/text.hpp"
#include "driftless/experiment/metrics.hpp"
#include "driftless/record/csv.hpp"
#include "driftless/record/summary_file.hpp"
#include "driftless/report/run_number.hpp"
#include "driftless/report/titles.hpp"

namespace driftless {

nlohmann::ordered_json summary_data(const Comparison& comparison, const FigureChoice& choice) {
  using Json = nlohmann::ordered_json;
  const RunNumber& number = *find_or_null(run_numbers(), choice.y);
  Json data;
  data["keys"] = comparison.keys;
  data["axes"] = comparison.axes_beside(choice.x);
  data["choice"] = choice_json(choice);
  data["titles"] = titles_json(comparison, choice.labels);
  data["labels"] = choice.labels;
  const auto label = choice.labels.find(choice.y);
  data["title"] = label == choice.labels.end() ? std::string(number.title) : label->second;
  const MetricColumn* const column = find_metric(number.name);  // null: one that has no end
  data["most"] = column == nullptr ? Json(nullptr) : Json(column->most);
  data["fewest_for_an_interval"] = fewest_for_an_interval;
  data["missing"] = number.missing();
  for (const RunGroup& group : comparison.groups) {
    const GroupNumber all = number_of(number, group);
    data["groups"].push_back(
        {{"values", group.values},
         {"runs", all.runs},
         {"numbers", all.values},
         {"diverged", all.diverged},
         {"missing", all.missing()},
         {"mean", all.mean ? Json(all.mean->mean) : Json(nullptr)},
         {"half_width", all.mean ? or_null(all.mean->half_width) : Json(nullptr)}});
  }
  return data;
}

std::set<std::string> methods_without_place(const Comparison& comparison,
                                            const FigureChoice& choice) {
  const std::size_t key = comparison.key_index(choice.x);
  std::set<std::string> methods;
  for (const RunGroup& group : comparison.groups) {
    const std::string& value = group.values[key];
    if (!value.empty() && !parse_number(value)) return {};  // words: the lack of one is one more
    if (value.empty() && is_shown(group, comparison, choice)) methods.insert(group.values.front());
  }
  return methods;
}

std::string summary_csv(const Comparison& comparison, const FigureChoice& choice) {
  const RunNumber& number = *find_or_null(run_numbers(), choice.y);
  std::vector<std::string> header = comparison.keys;
  header.insert(header.end(), {"n", "reached", "mean", "half_width", "min", "max"});
  std::string csv = csv_line(header);
  const auto text = [](const std::optional<double>& value) {
    return value ? fmt::format("{}", *value) : "";
  };
  for (const RunGroup& group : comparison.groups) {
    if (!is_shown(group, comparison, choice)) continue;
    const GroupNumber all = number_of(number, group);
    std::vector<std::string> fields = group.values;
    fields.push_back(fmt::format("{}", all.runs));
    fields.push_back(fmt::format("{}", all.values.size()));
    fields.push_back(all.mean ? text(all.mean->mean) : "");
    fields.push_back(all.mean ? text(all.mean->half_width) : "");
    fields.push_back(all.values.empty() ? "" : text(std::ranges::min(all.values)));
    fields.push_back(all.values.empty() ? "" : text(std::ranges::max(all.values)));
    csv += csv_line(fields);
  }
  return csv;
}

}  // namespace driftless
