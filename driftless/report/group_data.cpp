#include "driftless/report/group_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "driftless/base/text.hpp"
#include "driftless/experiment/metrics.hpp"
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
    json[name] = estimate_json(estimate_of(runs, number), "half_width");
  };
  json["target"] = or_null(parse_number(group.runs.front()->setting("run.target")));
  add("rounds_to_target", &RunDigest::rounds_to_target);
  add("bytes_to_target", &RunDigest::bytes_to_target);
  json["level_of"] = runs.front().optimum_known() ? "suboptimality" : "loss";
  add("level", &RunDigest::level);
  add("test_accuracy", &RunDigest::accuracy);
  add("worst_node_accuracy", &RunDigest::worst_accuracy);
  return json;
}

// Whether its runs are to be shown one by one.
bool shows_runs(const RunGroup& group, std::string_view band) {
  if (group.runs.size() < 2) return false;
  return band == "runs" || (band.empty() && group.runs.size() < fewest_for_an_interval);
}

// Curves as JSON, and what thinning left out of them.
class ThinnedCurves {
 public:
  ThinnedCurves(std::size_t curves, std::string_view band)
      : most_(std::clamp(page / curves, least, largest)), band_(band) {}

  Json add(std::span<const RecordedRun* const> runs) {
    const MeanCurve curve = mean_curve(runs);
    const Thinned kept = thin(curve, most_);
    rows_ += curve.rows();
    drawn_ += kept.rows.size();
    departure_ = std::max(departure_, kept.departure);
    return columns_json(curve, kept, band_);
  }
  Json told() const {
    return {{"rows", rows_}, {"drawn", drawn_}, {"departure", rounded(departure_, 2)}};
  }

 private:
  static constexpr std::size_t page = 100'000;  // rows over all lines of a page that stays quick
  static constexpr std::size_t least = 20;
  static constexpr std::size_t largest = 2'000;

  std::size_t most_;
  std::string_view band_;
  std::size_t rows_ = 0;
  std::size_t drawn_ = 0;
  double departure_ = 0;
};

}  // namespace

Json group_data(const Comparison& comparison, std::string_view band, Json& thinned) {
  constexpr std::size_t most_curves = 500;
  const auto with_single_runs = [&](std::size_t sum, const RunGroup& group) {
    return sum + 1 + (shows_runs(group, band) ? group.runs.size() : 0);
  };
  const auto& all = comparison.groups;
  const std::size_t curves =
      std::accumulate(all.begin(), all.end(), std::size_t{0}, with_single_runs);
  const bool single_runs = curves <= most_curves || band == "runs";
  ThinnedCurves kept(single_runs ? curves : all.size(), band);
  Json groups = Json::array();
  for (const RunGroup& group : all) {
    Json& json = groups.emplace_back(figures_json(group));
    json["curve"] = kept.add(group.runs);
    if (!single_runs || !shows_runs(group, band)) continue;
    for (const RecordedRun* run : group.runs) {
      json["single"].push_back({{"seed", run->setting("run.seed")},
                                {"outcome", run->outcome()},
                                {"curve", kept.add({&run, 1})}});
    }
  }
  thinned = kept.told();
  return groups;
}

}  // namespace driftless
