#include "driftless/record/recorded_run.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <set>
#include <span>

#include "driftless/base/error.hpp"
#include "driftless/base/parallel.hpp"
#include "driftless/base/regular_file.hpp"
#include "driftless/config/parse_toml.hpp"
#include "driftless/record/outputs.hpp"
#include "driftless/record/summary_file.hpp"

namespace driftless {
namespace {

namespace fs = std::filesystem;

// All rows are held at once, and a figure draws some thousands.
constexpr std::size_t most_rows_of_a_run = 1'000'000;
constexpr std::size_t most_rows_together = 5'000'000;

void flatten(const toml::table& table, const std::string& prefix,
             std::map<std::string, std::string>& settings) {
  for (const auto& [key, node] : table) {
    const std::string name = fmt::format("{}{}", prefix, key.str());
    node.visit([&](const auto& value) {
      if constexpr (toml::is_table<decltype(value)>) {
        flatten(value, name + '.', settings);
      } else if constexpr (toml::is_string<decltype(value)> || toml::is_number<decltype(value)> ||
                           toml::is_boolean<decltype(value)>) {
        settings[name] = fmt::format("{}", *value);
      }
    });
  }
}

std::map<std::string, std::string> read_settings(const fs::path& file) {
  try {
    std::map<std::string, std::string> settings;
    flatten(parse_toml(read_file(file, longest_config), file.string()), "", settings);
    return settings;
  } catch (const ConfigError& error) {
    throw DataError("{}; the config of a run is as the run wrote it", error.what());
  }
}

bool is_run(const fs::path& folder) {
  return fs::exists(folder / "config.toml") && fs::exists(folder / "metrics.csv");
}

std::vector<fs::path> run_folders(const fs::path& top) {
  if (!fs::is_directory(top)) {
    throw DataError(
        "{}: {}; expected the folder of a run or a sweep, as `driftless "
        "run` leaves it",
        top.string(), fs::exists(top) ? "is not a folder" : "there is no such folder");
  }
  if (is_run(top)) return {top};
  std::vector<fs::path> found;
  for (auto entry = fs::recursive_directory_iterator(top); entry != fs::end(entry); ++entry) {
    // Tuning runs are not compared with the others. Who wants them names the folder `tune`.
    if (entry->path().filename() == "tune") entry.disable_recursion_pending();
    if (entry->is_directory() && is_run(entry->path())) found.push_back(entry->path());
  }
  std::ranges::sort(found);
  if (found.empty()) {
    throw DataError(
        "{}: holds no run: no folder in it has config.toml and metrics.csv; "
        "name the --out folder of a `driftless run`",
        top.string());
  }
  return found;
}

// Notes the order in which a sweep that has ended names its runs.
void add_places(const fs::path& sweep, std::map<fs::path, std::size_t>& places) {
  if (places.contains(sweep)) return;
  places.emplace(sweep, 0);
  const nlohmann::json summary = read_summary(sweep);
  if (!summary.contains("runs")) return;
  for (const auto& run : summary["runs"]) {
    places.emplace(sweep / run.value("folder", ""), places.size());
  }
}

// The folder of the sweep that the run belongs to, or its own. Folders above `top` are not asked.
fs::path experiment_of(const fs::path& run, const fs::path& top) {
  fs::path folder = run;
  while (!fs::exists(folder / "experiment.toml")) {
    if (folder == top || !folder.has_relative_path()) return run;
    folder = folder.parent_path();
  }
  return folder;
}

// Which folder it is, by whatever path. Its whole path would ask the folders above it, which may
// not be ours to read.
std::pair<dev_t, ino_t> identity_of(const fs::path& folder) {
  struct stat found {};
  if (stat(folder.c_str(), &found) != 0)
    throw std::system_error(errno, std::generic_category(), folder.string());
  return {found.st_dev, found.st_ino};
}

RecordedMetrics read_whole(const fs::path& file) {
  RecordedMetrics metrics = read_metrics(file, most_rows_of_a_run);
  if (!metrics.fault.empty()) throw DataError(metrics.fault);
  return metrics;
}

RecordedRun read_run(const fs::path& folder, const fs::path& top) {
  nlohmann::json summary = read_summary(folder);
  if (summary.is_object()) check_outputs(folder, summary, Look::glance);
  return {.folder = folder,
          .experiment = experiment_of(folder, top),
          .settings = read_settings(folder / "config.toml"),
          .metrics = read_whole(folder / "metrics.csv"),
          .summary = std::move(summary)};
}

// As their sweeps name them; those that no sweep names come last.
void put_in_order(std::span<RecordedRun> runs) {
  std::map<fs::path, std::size_t> places;
  for (const RecordedRun& run : runs) add_places(run.experiment, places);
  std::vector<std::pair<std::pair<fs::path, std::size_t>, RecordedRun>> placed;
  placed.reserve(runs.size());
  for (RecordedRun& run : runs) {
    const auto found = places.find(run.folder);
    const std::size_t place = found == places.end() ? places.size() : found->second;
    placed.emplace_back(std::pair(run.experiment, place), std::move(run));
  }
  std::ranges::stable_sort(
      placed, {}, [](const auto& each) -> const auto& { return each.first; });
  for (std::size_t k = 0; k < runs.size(); ++k) runs[k] = std::move(placed[k].second);
}

}  // namespace

std::vector<double> RecordedRun::column(std::string_view name) const {
  std::vector<double> values(metrics.rows.size());
  for (std::size_t row = 0; row < values.size(); ++row)
    values[row] = metrics.number(row, metric_index(name));
  return values;
}

std::string RecordedRun::setting(const std::string& key) const {
  const auto found = settings.find(key);
  return found == settings.end() ? "" : found->second;
}

std::string RecordedRun::outcome() const {
  return summary.is_object() ? summary.value("outcome", "unknown") : "unfinished";
}

std::vector<RecordedRun> read_runs(const std::vector<fs::path>& folders, const OnRead& on_read) {
  std::vector<RecordedRun> runs;
  std::set<std::pair<dev_t, ino_t>> seen;
  std::atomic<std::size_t> rows = 0;
  std::atomic<std::size_t> done = 0;
  for (const fs::path& given : folders) {
    const fs::path top = given.has_filename() ? given : given.parent_path();  // "runs/" is "runs"
    std::vector<fs::path> found = run_folders(top);
    std::erase_if(found,
                  [&](const fs::path& run) { return !seen.insert(identity_of(run)).second; });
    const std::size_t first = runs.size();
    runs.resize(first + found.size());
    std::vector<std::string> faults(found.size());
    parallel(std::ssize(found), [&](Index index) {
      const auto k = static_cast<std::size_t>(index);
      faults[k] = fault_in([&] {
        runs[first + k] = read_run(found[k], top);
        rows += runs[first + k].metrics.rows.size();
        if (rows > most_rows_together) {
          throw DataError("{}: with this run there are more than {} rows; report fewer runs",
                          found[k].string(), most_rows_together);
        }
        if (on_read) on_read(++done, runs.size());
      });
    });
    for (const std::string& fault : faults)
      if (!fault.empty()) throw DataError(fault);
    put_in_order(std::span(runs).subspan(first));
  }
  return runs;
}

}  // namespace driftless
