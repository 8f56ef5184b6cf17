#include "driftless/report/comparison.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "driftless/base/text.hpp"
#include "driftless/config/key.hpp"

namespace driftless {
namespace {

const std::string method_key = "algorithm.kind";
const std::string folder_key = "folder";

using Texts = std::map<std::string, std::string>;  // settings as a run recorded them
using Places = std::map<Texts, std::size_t>;       // of groups, by what their runs have in common

// What makes runs repetitions of one another.
Texts without_seed(const RecordedRun& run) {
  Texts settings = run.settings;
  settings.erase("run.seed");
  return settings;
}

bool repeats_a_run(const std::vector<RecordedRun>& runs) {
  std::set<Texts> seen;
  return std::ranges::any_of(
      runs, [&](const RecordedRun& run) { return !seen.insert(run.settings).second; });
}

// Keys with several values, in the order of a config file; those that we do not know come last, the
// folder after the method. That a method has no such key is no value.
std::vector<std::string> differing_keys(const Places& groups) {
  std::map<std::string, std::string> values;
  std::set<std::string> differing;
  for (const auto& [settings, place] : groups) {
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
  const bool by_folder = repeats_a_run(runs);
  Comparison comparison;
  Places places;
  for (const RecordedRun& run : runs) {
    Texts settings = without_seed(run);
    if (by_folder) settings[folder_key] = run.experiment.string();
    const auto [place, is_new] = places.emplace(std::move(settings), comparison.groups.size());
    if (is_new) comparison.groups.emplace_back();
    RunGroup& group = comparison.groups[place->second];
    group.runs.push_back(&run);
    group.digests.push_back(digest_of(run));
  }
  comparison.keys = differing_keys(places);
  for (RunGroup& group : comparison.groups) {
    const RecordedRun& first = *group.runs.front();
    for (const std::string& key : comparison.keys)
      group.values.push_back(key == folder_key ? first.experiment.string() : first.setting(key));
  }
  comparison.axes = telling_keys(0, comparison.keys, comparison.groups);
  return comparison;
}

}  // namespace driftless
