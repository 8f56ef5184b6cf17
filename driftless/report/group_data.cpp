#include "driftless/report/group_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "driftless/base/parallel.hpp"
#include "driftless/base/text.hpp"
#include "driftless/experiment/metrics.hpp"
#include "driftless/record/result_text.hpp"
#include "driftless/record/summary_file.hpp"
#include "driftless/report/mean_curve.hpp"

namespace driftless {
namespace {

using Json = nlohmann::ordered_json;

// As many digits as a picture shows: they are most of a page's size.
double rounded(double value, int digits) {
  return std::strtod(fmt::format("{:.{}g}", value, digits).c_str(), nullptr);
}

// The columns of the rows that are drawn, without those that are empty: means, and of several
// repetitions also the spread that is to be shown.
Json columns_json(const MeanCurve& curve, const Thinned& kept, std::string_view band) {
  constexpr int digits_of_costs = 7;
  constexpr int digits_of_figures = 5;
  Json json = {{"ranks", kept.ranks}, {"mean", Json::object()}};
  for (std::size_t column = 0; column < metric_columns().size(); ++column) {
    const MetricColumn& described = metric_columns()[column];
    const std::string name(described.name);
    const auto add = [&](const char* part, const std::vector<double>& values, int digits) {
      if (std::ranges::all_of(values, [](double value) { return std::isnan(value); })) return;
      Json& drawn = json[part][name] = Json::array();
      for (const std::size_t row : kept.rows) drawn.push_back(rounded(values[row], digits));
    };
    add("mean", curve.mean[column], described.is_cost ? digits_of_costs : digits_of_figures);
    if (described.is_cost || curve.repetitions < 2 || band == "none") continue;
    add("least", curve.least[column], digits_of_figures);
    add("greatest", curve.greatest[column], digits_of_figures);
    const bool suits = curve.repetitions >= fewest_for_an_interval && band != "range";
    if (!suits && band != "interval") continue;
    add("half_width", curve.half_width[column], digits_of_figures);
  }
  return json;
}

Json figures_json(const RunGroup& group) {
  const std::span<const RunDigest> runs = group.digests;
  Json json;
  json["values"] = group.values;
  json["runs"] = group.runs.size();
  for (const RecordedRun* run : group.runs) {
    Json& count = json["outcomes"][run->outcome()];
    count = count.is_null() ? 1 : count.get<int>() + 1;
  }
  const auto add = [&](const char* name, DigestNumber number) {
    json[name] = numbers_json(runs, number, "half_width");
  };
  json["target"] = or_null(parse_number(group.runs.front()->setting("run.target")));
  add("rounds_to_target", &RunDigest::rounds_to_target);
  add("bytes_to_target", &RunDigest::bytes_to_target);
  json["level_of"] = runs.front().optimum_known() ? "suboptimality" : "loss";
  add("level", &RunDigest::level);
  add("test_accuracy", &RunDigest::accuracy);
  add("node_accuracy", &RunDigest::node_accuracy);
  add("worst_node_accuracy", &RunDigest::worst_accuracy);
  json["texts"] = {{"rounds_to_target", rounds_text(runs)},
                   {"bytes_to_target", bytes_text(runs)},
                   {"level", level_text(runs)},
                   {"test_accuracy", decimals_text(runs, &RunDigest::accuracy)},
                   {"node_accuracy", decimals_text(runs, &RunDigest::node_accuracy)},
                   {"worst_node_accuracy", decimals_text(runs, &RunDigest::worst_accuracy)}};
  return json;
}

// Whether its runs are to be shown one by one.
bool shows_runs(const RunGroup& group, std::string_view band) {
  if (group.runs.size() < 2) return false;
  return band == "runs" || (band.empty() && group.runs.size() < fewest_for_an_interval);
}

// How many numbers columns_json() tells of each row of so many repetitions.
std::size_t numbers_a_row(std::size_t repetitions) {
  const auto figures =
      static_cast<std::size_t>(std::ranges::count(metric_columns(), false, &MetricColumn::is_cost));
  const std::size_t spreads = repetitions < 2 ? 0 : repetitions < fewest_for_an_interval ? 2 : 3;
  return metric_columns().size() + spreads * figures;
}

// How much of the curves is drawn.
struct Kept {
  std::size_t rows = 0;
  std::size_t drawn = 0;
  double departure = 0;  // of the furthest row that is left out

  void operator+=(const Kept& more) {
    rows += more.rows;
    drawn += more.drawn;
    departure = std::max(departure, more.departure);
  }
};

// The curve in at most so many rows.
Json thinned_json(std::span<const RecordedRun* const> runs, std::size_t most, std::string_view band,
                  Kept& kept) {
  const MeanCurve curve = mean_curve(runs);
  const Thinned thinned = thin(curve, most);
  kept += {curve.rows(), thinned.rows.size(), thinned.departure};
  return columns_json(curve, thinned, band);
}

}  // namespace

Json group_data(const Comparison& comparison, std::string_view band, Json& thinned) {
  constexpr std::size_t most_curves = 500;
  const auto& all = comparison.groups;
  std::size_t curves = all.size();
  std::size_t means = 0;  // the numbers of a row of each
  for (const RunGroup& group : all) {
    if (shows_runs(group, band)) curves += group.runs.size();
    means += numbers_a_row(group.runs.size());
  }
  const bool single_runs = curves <= most_curves || band == "runs";
  const std::size_t row = means + (single_runs ? (curves - all.size()) * numbers_a_row(1) : 0);
  constexpr std::size_t page = 1'700'000;  // numbers in a page that stays small and quick
  const std::size_t most = std::clamp<std::size_t>(page / std::max<std::size_t>(row, 1), 20, 2'000);

  std::vector<Json> each(all.size());
  std::vector<Kept> kept(all.size());
  parallel(std::ssize(all), [&](Index index) {
    const auto k = static_cast<std::size_t>(index);
    const RunGroup& group = all[k];
    each[k] = figures_json(group);
    each[k]["curve"] = thinned_json(group.runs, most, band, kept[k]);
    if (!single_runs || !shows_runs(group, band)) return;
    for (const RecordedRun* run : group.runs) {
      each[k]["single"].push_back({{"seed", run->setting("run.seed")},
                                   {"outcome", run->outcome()},
                                   {"curve", thinned_json({&run, 1}, most, band, kept[k])}});
    }
  });
  Json groups = Json::array();
  Kept total;
  for (std::size_t k = 0; k < all.size(); ++k) {
    groups.push_back(std::move(each[k]));
    total += kept[k];
  }
  thinned = {
      {"rows", total.rows}, {"drawn", total.drawn}, {"departure", rounded(total.departure, 2)}};
  return groups;
}

}  // namespace driftless
