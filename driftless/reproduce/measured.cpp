#include "driftless/reproduce/measured.hpp"

#include <cmath>
#include <limits>

namespace driftless {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

bool ended_well(const RecordedRun& run) { return run.outcome() == "finished"; }

}  // namespace

Reading final_mean(std::string column) {
  return [column = std::move(column)](const RecordedRun& run) {
    if (!ended_well(run)) return nan;
    const auto& rounds = run.metrics["round"];
    const auto& values = run.metrics[column];
    double sum = 0;
    int count = 0;
    for (std::size_t k = 0; k < rounds.size(); ++k) {
      if (5 * rounds[k] < 4 * rounds.back()) continue;
      sum += values[k];
      ++count;
    }
    return sum / count;
  };
}

Reading rounds_below(std::string column, double target) {
  return [column = std::move(column), target](const RecordedRun& run) {
    if (!ended_well(run)) return nan;
    const auto& values = run.metrics[column];
    std::size_t first = values.size();
    while (first > 0 && values[first - 1] <= target) --first;
    return first < values.size() ? run.metrics["round"][first] : nan;
  };
}

Reading last_value(std::string column) {
  return [column = std::move(column)](const RecordedRun& run) {
    return ended_well(run) ? run.metrics[column].back() : nan;
  };
}

Reading zero_if_diverged(Reading reading) {
  return [reading = std::move(reading)](const RecordedRun& run) {
    return run.outcome() == "diverged" ? 0 : reading(run);
  };
}

Measured::Measured(const std::filesystem::path& folder) : runs_(read_runs({folder})) {}

std::vector<double> Measured::operator()(const Where& where, const Reading& reading) const {
  std::map<long long, double> by_seed;
  for (const RecordedRun& run : runs_) {
    bool matches = true;
    for (const auto& [key, value] : where) matches = matches && run.setting(key) == value;
    if (matches) by_seed[std::stoll(run.setting("run.seed"))] = reading(run);
  }
  std::vector<double> values;
  values.reserve(by_seed.size());
  for (const auto& [seed, value] : by_seed) values.push_back(value);
  return values;
}

}  // namespace driftless
