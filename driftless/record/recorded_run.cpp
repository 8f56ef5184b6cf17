#include "driftless/record/recorded_run.hpp"

#include <sys/stat.h>
#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <set>
#include <span>
#include <unordered_map>

#include "driftless/base/error.hpp"
#include "driftless/base/parallel.hpp"
#include "driftless/record/outputs.hpp"
#include "driftless/record/summary_file.hpp"

namespace driftless {
namespace {

namespace fs = std::filesystem;

// All rows are held at once, and a figure draws some thousands.
constexpr std::size_t most_rows_of_a_run = 1'000'000;
constexpr std::size_t most_rows_together = 5'000'000;

bool is_run(const fs::path& folder) {
  return fs::exists(folder / "config.toml") && fs::exists(folder / "metrics.csv");
}

void keep_runs(std::vector<fs::path>& folders) {
  parallel(std::ssize(folders), [&](Index k) {
    fs::path& folder = folders[static_cast<std::size_t>(k)];
    if (!is_run(folder)) folder.clear();
  });
  std::erase_if(folders, [](const fs::path& folder) { return folder.empty(); });
}

// The order of paths, which is that of their components, without taking them apart: for paths that
// are spelled alike it is enough that a separator comes before all letters.
bool by_components(const fs::path& one, const fs::path& other) {
  const auto rank = [](char letter) {
    return letter == fs::path::preferred_separator ? -1 : static_cast<unsigned char>(letter);
  };
  return std::ranges::lexicographical_compare(one.native(), other.native(), {}, rank, rank);
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
    if (!entry->is_directory()) continue;
    found.push_back(entry->path());
    // Tuning runs are not compared with the others. Who wants them names the folder `tune`.
    if (entry->path().filename() == "tune") entry.disable_recursion_pending();
  }
  keep_runs(found);
  std::ranges::sort(found, by_components);
  if (found.empty()) {
    throw DataError(
        "{}: holds no run: no folder in it has config.toml and metrics.csv; "
        "name the --out folder of a `driftless run`",
        top.string());
  }
  return found;
}

using Places = std::unordered_map<std::string, std::size_t>;  // of runs in their sweep, by path

// The order in which the sweep of the run names its runs, where it has ended.
Places places_in_sweep_of(const RecordedRun& run) {
  const fs::path& sweep = run.experiment;
  const nlohmann::json summary = sweep == run.folder ? run.summary : read_summary(sweep);
  Places places;
  if (!summary.contains("runs")) return places;
  for (const auto& named : summary["runs"])
    places.emplace(sweep / named.value("folder", ""), places.size());
  return places;
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

// As their sweeps name them; those that no sweep names come last.
void put_in_order(std::span<RecordedRun> runs) {
  std::map<fs::path, Places> sweeps;
  struct Placed {
    const fs::path* sweep;
    std::size_t place;
    RecordedRun* run;

    bool operator<(const Placed& other) const {
      return sweep == other.sweep ? place < other.place : *sweep < *other.sweep;
    }
  };
  std::vector<Placed> placed;
  placed.reserve(runs.size());
  for (RecordedRun& run : runs) {
    const auto [sweep, is_new] = sweeps.try_emplace(run.experiment);
    if (is_new) sweep->second = places_in_sweep_of(run);
    const Places& places = sweep->second;
    const auto found = places.find(run.folder.native());
    placed.push_back({&sweep->first, found == places.end() ? places.size() : found->second, &run});
  }
  std::ranges::stable_sort(placed, std::less<>());
  std::vector<RecordedRun> ordered;
  ordered.reserve(runs.size());
  for (const Placed& each : placed) ordered.push_back(std::move(*each.run));
  std::ranges::move(ordered, runs.begin());
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

RecordedRun read_run(const fs::path& folder, const fs::path& top, SettingsReader& settings) {
  nlohmann::json summary = read_summary(folder);
  if (summary.is_object()) check_outputs(folder, summary, Look::glance);
  return {.folder = folder,
          .experiment = experiment_of(folder, top),
          .settings = settings.read(folder / "config.toml"),
          .metrics = read_whole(folder / "metrics.csv"),
          .summary = std::move(summary)};
}

std::vector<RecordedRun> read_runs(const std::vector<fs::path>& folders, const OnRead& on_read) {
  const auto read = [](const fs::path& folder, const fs::path& top, SettingsReader& settings) {
    return read_run(folder, top, settings);
  };
  return read_runs(
      folders, read, [](const std::string& fault) { throw DataError(fault); }, on_read);
}

std::vector<RecordedRun> read_runs(const std::vector<fs::path>& folders, RunReader read,
                                   FunctionRef<void(const std::string&)> fault,
                                   const OnRead& on_read) {
  std::vector<RecordedRun> runs;
  std::set<std::pair<dev_t, ino_t>> seen;
  std::atomic<std::size_t> rows = 0;
  std::atomic<std::size_t> done = 0;
  // A worker each, and not in TBB's own memory, which ThreadSanitizer cannot follow.
  tbb::enumerable_thread_specific<SettingsReader, std::allocator<SettingsReader>> settings;
  for (const fs::path& given : folders) {
    const fs::path top = given.has_filename() ? given : given.parent_path();  // "runs/" is "runs"
    std::vector<fs::path> found;
    const std::string none = fault_in([&] { found = run_folders(top); });
    if (!none.empty()) fault(none);
    if (folders.size() > 1) {
      std::erase_if(found,
                    [&](const fs::path& run) { return !seen.insert(identity_of(run)).second; });
    }
    std::vector<RecordedRun> here(found.size());
    std::vector<std::string> faults(found.size());
    parallel(std::ssize(found), [&](Index index) {
      const auto k = static_cast<std::size_t>(index);
      faults[k] = fault_in([&] {
        here[k] = read(found[k], top, settings.local());
        rows += here[k].metrics.rows.size();
        if (rows > most_rows_together) {
          throw DataError("{}: with this run there are more than {} rows; report fewer runs",
                          found[k].string(), most_rows_together);
        }
        if (on_read) on_read(++done, runs.size() + found.size());
      });
    });
    const std::size_t first = runs.size();
    for (std::size_t k = 0; k < found.size(); ++k) {
      if (faults[k].empty()) {
        runs.push_back(std::move(here[k]));
      } else {
        fault(faults[k]);
      }
    }
    put_in_order(std::span(runs).subspan(first));
  }
  return runs;
}

}  // namespace driftless
