#include "driftless/reproduce/measured.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "driftless/base/file.hpp"
#include "driftless/base/fingerprint.hpp"
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

Reading rounds_to(std::string column, double target) {
  return [column = std::move(column), target](const RecordedRun& run) {
    if (!ended_well(run)) return nan;
    const MetricColumn& metric = *find_metric(column);
    const auto reached = std::ranges::find_if(
        run.metrics.rows, [&](const Metrics& row) { return metric.number(row) >= target; });
    const bool got_there = reached != run.metrics.rows.end();
    return static_cast<double>(got_there ? reached->round : run.metrics.rows.back().round);
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

Measured::Measured(const std::filesystem::path& folder, std::string name, std::int64_t last_seed)
    : name_(std::move(name)), last_seed_(last_seed), runs_(read_runs({folder})) {}

Sample Measured::operator()(const Where& where, const Reading& reading) const {
  std::map<std::int64_t, const RecordedRun*> by_seed;
  for (const RecordedRun& run : runs_) {
    const bool matches = std::ranges::all_of(
        where, [&](const auto& wanted) { return run.setting(wanted.first) == wanted.second; });
    const std::optional<std::int64_t> seed = parse_integer(run.setting("run.seed"));
    const bool done = run.outcome() == "finished" || run.outcome() == "diverged";
    if (matches && done && seed && *seed <= last_seed_) by_seed[*seed] = &run;
  }
  Side side{.experiment = name_, .where = where, .seeds = {}, .values = {}, .configs = {}};
  for (const auto& [seed, run] : by_seed) {
    side.seeds.push_back(seed);
    side.values.push_back(reading(*run));
    Fingerprint config;
    config.add(read_file(run->folder / "config.toml"));
    side.configs.push_back(fmt::format("{:016x}", config.value()));
  }
  return {.seeds = side.seeds, .values = side.values, .sides = {side}};
}

const Measured& Evidence::of(const std::string& experiment) {
  const auto found = experiments_.find(experiment);
  if (found != experiments_.end()) return found->second;
  return experiments_.emplace(experiment, Measured(folder_ / experiment, experiment, last_seed_))
      .first->second;
}

}  // namespace driftless
