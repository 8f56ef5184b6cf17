#include "driftless/reproduce/measured.hpp"

#include <algorithm>
#include <limits>

#include "driftless/base/text.hpp"
#include "driftless/record/digest.hpp"

namespace driftless {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

bool ended_well(const RecordedRun& run) {
  return run.outcome() == "finished" && !run.metrics.rows.empty();
}

}  // namespace

Reading final_mean(std::string column) {
  return [column = std::move(column)](const RecordedRun& run) {
    if (!ended_well(run)) return nan;
    const MetricColumn& metric = *find_metric(column);
    Average late;
    for (const Metrics& row : run.metrics.rows) {
      if (is_late(row.round, run.metrics.rows.back().round)) late.add(metric.number(row));
    }
    return late.mean().value_or(nan);
  };
}

Reading rounds_below(std::string column, double target) {
  return [column = std::move(column), target](const RecordedRun& run) {
    if (!ended_well(run)) return nan;
    const MetricColumn& metric = *find_metric(column);
    TargetWatch watch(target);
    for (const Metrics& row : run.metrics.rows) watch.add(metric.number(row), row);
    return watch.reached() ? static_cast<double>(watch.reached()->round) : nan;
  };
}

Reading last_value(std::string column) {
  return [column = std::move(column)](const RecordedRun& run) {
    return ended_well(run) ? find_metric(column)->number(run.metrics.rows.back()) : nan;
  };
}

Reading zero_if_diverged(Reading reading) {
  return [reading = std::move(reading)](const RecordedRun& run) {
    return run.outcome() == "diverged" ? 0 : reading(run);
  };
}

Measured::Measured(const std::filesystem::path& folder) : runs_(read_runs({folder})) {}

std::vector<double> Measured::operator()(const Where& where, const Reading& reading) const {
  std::map<std::int64_t, double> by_seed;
  for (const RecordedRun& run : runs_) {
    const bool matches = std::ranges::all_of(
        where, [&](const auto& wanted) { return run.setting(wanted.first) == wanted.second; });
    const std::optional<std::int64_t> seed = parse_integer(run.setting("run.seed"));
    if (matches && seed) by_seed[*seed] = reading(run);
  }
  std::vector<double> values;
  values.reserve(by_seed.size());
  for (const auto& [seed, value] : by_seed) values.push_back(value);
  return values;
}

}  // namespace driftless
