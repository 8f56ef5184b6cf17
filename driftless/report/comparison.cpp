#include "driftless/report/comparison.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <unordered_map>

#include "driftless/base/text.hpp"
#include "driftless/config/key.hpp"

namespace driftless {
namespace {

const std::string method_key = "algorithm.kind";
const std::string folder_key = "folder";

// Each repetition has seeds of its own.
bool is_seed(std::string_view key) { return key == "run.seed" || key == "faults.seed"; }

// [faults] and [compression] are written only where there are any. Without them a config means
// this.
const RecordedSettings& fair_weather() {
  static const RecordedSettings settings = [] {
    RecordedSettings fair;
    for (const Key& key : config_keys()) {
      const bool may_be_left_out = key.section() == "faults" || key.section() == "compression";
      if (may_be_left_out && !is_seed(key.name))
        fair.emplace(key.name, key.fallback ? plain_text(*key.fallback) : "");
    }
    return fair;
  }();
  return settings;
}

std::string value_in(const RecordedRun& run, const std::string& key) {
  if (key == folder_key) return run.experiment.string();
  const auto fair = fair_weather().find(key);
  return run.settings.contains(key) || fair == fair_weather().end() ? run.setting(key)
                                                                    : fair->second;
}

// What makes runs repetitions of one another, as one text: all settings but the seeds, and the
// folder where it counts. Each part has its length before it, so that no two texts are the same by
// accident.
std::string group_text(const RecordedRun& run, bool by_folder) {
  std::string text;
  const auto add = [&](const std::string& part) {
    text.append(std::to_string(part.size())).append(":").append(part);
  };
  for (const auto& [key, value] : run.settings) {
    if (is_seed(key)) continue;
    add(key);
    add(value);
  }
  if (by_folder) add(run.experiment.string());
  return text;
}

// The number of each run's group. Groups are counted as they appear.
std::vector<std::size_t> group_numbers(const std::vector<RecordedRun>& runs, bool by_folder) {
  std::unordered_map<std::string, std::size_t> numbers;
  std::vector<std::size_t> of_runs;
  of_runs.reserve(runs.size());
  for (const RecordedRun& run : runs) {
    const auto entry = numbers.emplace(group_text(run, by_folder), numbers.size()).first;
    of_runs.push_back(entry->second);
  }
  return of_runs;
}

bool repeats_a_run(const std::vector<RecordedRun>& runs, const std::vector<std::size_t>& groups) {
  std::set<std::pair<std::size_t, std::string>> seen;
  for (std::size_t k = 0; k < runs.size(); ++k) {
    const std::string seeds = runs[k].setting("run.seed") + ' ' + runs[k].setting("faults.seed");
    if (!seen.emplace(groups[k], seeds).second) return true;
  }
  return false;
}

// Keys with several values, in the order of a config file; those that we do not know come last, the
// folder after the method. That a method has no such key is no value.
std::vector<std::string> differing_keys(const std::vector<RunGroup>& groups, bool by_folder) {
  RecordedSettings values;
  std::set<std::string> differing;
  for (const RunGroup& group : groups) {
    RecordedSettings settings = group.runs.front()->settings;
    std::erase_if(settings, [](const auto& setting) { return is_seed(setting.first); });
    settings.insert(fair_weather().begin(), fair_weather().end());
    if (by_folder) settings[folder_key] = group.runs.front()->experiment.string();
    for (const auto& [key, value] : settings) {
      if (values.emplace(key, value).first->second != value) differing.insert(key);
    }
  }
  std::vector<std::string> keys{method_key};
  differing.erase(method_key);
  if (differing.erase(folder_key) > 0) keys.push_back(folder_key);
  for (const Key& key : config_keys()) {
    if (differing.erase(key.name) > 0) keys.push_back(key.name);
  }
  keys.insert(keys.end(), differing.begin(), differing.end());
  return keys;
}

// Greedily, from the key `first` on: a key counts when it splits what the keys before have not.
std::vector<std::string> telling_keys(std::size_t first, const std::vector<std::string>& keys,
                                      const std::vector<RunGroup>& groups) {
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(first),
              order.begin() + static_cast<std::ptrdiff_t>(first) + 1);
  std::vector<std::string> telling;
  std::vector<std::vector<std::string>> told(groups.size());
  const auto count = [&] { return std::set(told.begin(), told.end()).size(); };
  for (const std::size_t k : order) {
    const std::size_t before = count();
    for (std::size_t g = 0; g < groups.size(); ++g) told[g].push_back(groups[g].values[k]);
    if (k == first || count() > before) {
      telling.push_back(keys[k]);
    } else {
      for (auto& values : told) values.pop_back();
    }
  }
  return telling;
}

RunDigest digest_of(const RecordedRun& run) {
  const auto rounds = parse_integer(run.setting("run.rounds"));
  RunDigest digest(rounds.value_or(0), parse_number(run.setting("run.target")));
  for (const Metrics& row : run.metrics.rows) digest.add(row);
  if (const auto* outcome = find_or_null(values_of<Outcome>, run.outcome()))
    digest.end({.outcome = outcome->value, .last = {}});
  return digest;
}

}  // namespace

std::size_t Comparison::key_index(const std::string& key) const {
  return static_cast<std::size_t>(std::ranges::find(keys, key) - keys.begin());
}

std::vector<std::string> Comparison::axes_beside(const std::string& key) const {
  std::vector<std::string> others = telling_keys(key_index(key), keys, groups);
  others.erase(others.begin());
  return others;
}

Comparison compare(const std::vector<RecordedRun>& runs) {
  std::vector<std::size_t> numbers = group_numbers(runs, false);
  const bool by_folder = repeats_a_run(runs, numbers);
  if (by_folder) numbers = group_numbers(runs, true);
  Comparison comparison;
  for (std::size_t k = 0; k < runs.size(); ++k) {
    if (numbers[k] == comparison.groups.size()) comparison.groups.emplace_back();
    RunGroup& group = comparison.groups[numbers[k]];
    group.runs.push_back(&runs[k]);
    group.digests.push_back(digest_of(runs[k]));
  }
  comparison.keys = differing_keys(comparison.groups, by_folder);
  for (RunGroup& group : comparison.groups) {
    const RecordedRun& first = *group.runs.front();
    for (const std::string& key : comparison.keys) group.values.push_back(value_in(first, key));
  }
  comparison.axes = telling_keys(0, comparison.keys, comparison.groups);
  return comparison;
}

}  // namespace driftless
